"""When is a plant due?"""

from datetime import date, timedelta

WINTER_MONTHS = (11, 12, 1, 2)
WINTER_FACTOR = 1.5


def interval(plant, day):
    """Days between two waterings, longer in winter."""
    days = plant["every_days"]
    if day.month in WINTER_MONTHS:
        days = round(days * WINTER_FACTOR)
    return days


def next_due(plant, last, today):
    return last + timedelta(days=interval(plant, today))


def is_due(plant, last, today):
    """True on the day the plant is due and on every day after it."""
    return next_due(plant, last, today) < today


def thirst(plant, last, today):
    """Days overdue, negative if there is still time."""
    return (today - next_due(plant, last, today)).days
