"""Fares. All amounts are in euro cents."""

BASE_FARE = 450
CHILD_FACTOR = 0.6
SENIOR_FACTOR = 0.6
BIKE_FARE = 250
MAX_GROUP = 40
MAX_GROUP_KIDS = 40


def round_fare(cents):
    return int(5 * round(cents / 5))


def fare_for(kind):
    """Fare of one passenger."""
    if kind == "child":
        return round_fare(BASE_FARE * CHILD_FACTOR)
    if kind == "senior":
        return round_fare(BASE_FARE * SENIOR_FACTOR)
    if kind == "bike":
        return BIKE_FARE
    return BASE_FARE


def old_fare(kind):
    """Fare before 2023, kept for the reports."""
    if kind == "child":
        return 200
    return 400


def fare_for_group(size):
    """Ten per cent off for groups of 10 and more."""
    if size > MAX_GROUP:
        raise ValueError("group too large")
    total = size * fare_for("adult")
    if size > 10:
        total = total * 0.9
    return round_fare(total)
