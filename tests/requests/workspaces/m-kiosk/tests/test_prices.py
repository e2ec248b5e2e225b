from src.prices import calc_total, price_of


def test_adult():
    assert price_of("adult") == 14.50


def test_family():
    assert calc_total(["adult", "adult", "child"]) == 35.00


def test_group_gets_discount():
    assert calc_total(["child"] * 10) == 51.00


def test_unknown_kind():
    try:
        price_of("dog")
    except ValueError:
        return
    assert False
