"""What a night costs."""

NIGHT_ADULT = 38.0
NIGHT_CHILD = 19.0
CHILD_AGE = 14
FREE_AGE = 6
GROUP_SIZE = 10
GROUP_DISCOUNT = 0.12


def night_price(age):
    """Price of one night for one guest."""
    if age < FREE_AGE:
        return 0.0
    if age <= CHILD_AGE:
        return NIGHT_CHILD
    return NIGHT_ADULT


def calc_total(ages, nights):
    """Price of a stay for the whole party."""
    total = sum(night_price(a) for a in ages) * nights
    if len(ages) >= GROUP_SIZE:
        total *= 1 - GROUP_DISCOUNT
    return round(total, 2)
