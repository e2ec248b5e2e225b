"""Bookings and the rules for them."""

from dataclasses import dataclass
from datetime import date

from hutbook.prices import calc_total

MAX_NIGHTS = 14


class Full(Exception):
    """No bed is left on one of the nights."""


@dataclass
class Booking:
    name: str
    arrival: date
    nights: int
    ages: list

    def total(self):
        return calc_total(self.ages, self.nights)


def check_nights(nights):
    if not 1 <= nights <= MAX_NIGHTS:
        raise ValueError(f"between 1 and {MAX_NIGHTS} nights")
    return nights


def free_beds(bookings, day, beds):
    # TODO: count guests who arrive late
    used = 0
    for b in bookings:
        if b.arrival <= day and (day - b.arrival).days < b.nights:
            used += len(b.ages)
    return beds - used


def cancel(bookings, name):
    """All bookings but those of that name."""
    return [b for b in bookings if b.name != name]
