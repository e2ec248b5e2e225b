"""Fares of the Skerry Line."""
from decimal import Decimal, ROUND_HALF_UP

STEP = Decimal("0.05")
MAX_PASSENGERS = 40


def round_fare(amount):
    """Round to five cents."""
    return (amount / STEP).quantize(Decimal("1"), ROUND_HALF_UP) * STEP


def base_fare(kind, fares):
    # TODO: unknown kinds should be 422, not KeyError
    return Decimal(str(fares[kind]))


def apply_discounts(amount, discounts, islander=False, return_trip=False):
    if islander:
        amount *= 1 - Decimal(str(discounts["islander"]))
    if return_trip:
        amount *= 1 - Decimal(str(discounts["return_trip"]))
    return round_fare(amount)


def group_fare(count, amount, discounts):
    if count >= discounts["group_min"]:
        amount *= 1 - Decimal(str(discounts["group"]))
    return round_fare(amount * count)


def refund_share(hours_before):
    """Share of the fare that is paid back."""
    if hours_before >= 48:
        return Decimal("1")
    if hours_before >= 12:
        return Decimal("0.5")
    return Decimal("0")  # FIXME: cancelled sailings are always refunded in full
