from parcel.rates import calc_rate


def test_germany():
    assert calc_rate(1, "DE") == 5.6


def test_unknown_country():
    assert calc_rate(0, "XX") == 11.25
