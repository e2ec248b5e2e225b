"""Fares of the ferry lines."""

import math

ADULT = 6.5
CHILD = 3.0
CHILD_AGE = 12
SENIOR_AGE = 65
SENIOR_DISCOUNT = 0.2
MAX_GROUP = 25


def fare(age):
    """Fare of one passenger."""
    # TODO: dogs travel for free
    if age <= CHILD_AGE:
        return CHILD
    if age >= SENIOR_AGE:
        return ADULT * (1 - SENIOR_DISCOUNT)
    return ADULT


def round_up(amount):
    """Up to the next ten cents."""
    return math.ceil(round(amount * 10, 6)) / 10


def group_fare(ages):
    """Fare of a party on one boat."""
    if len(ages) > MAX_GROUP:
        raise ValueError("the party does not fit on one boat")
    return round_up(sum(fare(a) for a in ages))
