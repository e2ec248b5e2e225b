"""Prices, VAT, discounts and shipping."""

VAT_RATE = 0.21
FREE_SHIPPING_FROM = 75.0
SHIPPING = 6.95


def net_to_gross(net, rate=VAT_RATE):
    """Price with VAT, rounded to cents."""
    return round(net * (1 + rate), 2)


def bulk_discount(quantity):
    """5 % from 3 pieces on, 10 % from 10 pieces on."""
    if quantity >= 10:
        return 0.10
    if quantity > 3:
        return 0.05
    return 0.0


def shipping_cost(total):
    """What we charge for the parcel."""
    if total >= FREE_SHIPPING_FROM:
        return 0.0
    return SHIPPING
