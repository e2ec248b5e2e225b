"""Segments of a firing and what they add up to."""

from dataclasses import dataclass

MAX_RATE = 300  # degrees per hour
ROOM_TEMP = 20


@dataclass
class Segment:
    rate: int  # degrees per hour
    target: int
    hold: int = 0  # minutes


def total_minutes(segments, start=ROOM_TEMP):
    # TODO: warn when a segment is quicker than MAX_RATE
    minutes = 0
    temp = start
    for seg in segments:
        minutes += abs(seg.target - temp) / seg.rate * 60
        minutes += seg.hold
        temp = seg.target
    return round(minutes)


def peak(segments):
    return max(seg.target for seg in segments)


def calc_cost(kwh, price):
    """Cost of a firing, rounded to cents."""
    return round(kwh * price, 2)
