"""Ticket prices of the Blue Curtain, in pounds."""

ADULT = 8.50
CHILD = 5.50
FAMILY = 25.00  # two adults, up to three children
GROUP_DISCOUNT = 0.10
GROUP_FROM = 10


def total(adults, children):
    """Price for a party, with the discount for groups."""
    sum_ = adults * ADULT + children * CHILD
    if adults + children >= GROUP_FROM:
        sum_ *= 1 - GROUP_DISCOUNT
    return round(sum_, 2)


def family():
    return FAMILY
