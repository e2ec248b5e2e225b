from decimal import Decimal

from booking.fares import group_fare, refund_share, round_fare


def test_round_fare():
    assert round_fare(Decimal("7.27")) == Decimal("7.25")


def test_refund_share():
    assert refund_share(50) == 1
    assert refund_share(13) == Decimal("0.5")


def test_group_fare():
    d = {"group_min": 12, "group": 0.15}
    assert group_fare(2, Decimal("14.50"), d) == Decimal("29.00")
