"""What a visit costs."""

ADULT = 14.50
CHILD = 6.00
SENIOR = 9.75
GROUP_FROM = 10
GROUP_DISCOUNT = 0.15


def price_of(kind):
    if kind == "adult":
        return ADULT
    if kind == "child":
        return CHILD
    if kind == "senior":
        return SENIOR
    raise ValueError(kind)


def calc_total(kinds):
    total = sum(price_of(kind) for kind in kinds)
    if len(kinds) >= GROUP_FROM:
        total *= 1 - GROUP_DISCOUNT
    return round(total, 2)


def with_tip(total, tip):
    # FIXME: negative tips
    return total + tip
