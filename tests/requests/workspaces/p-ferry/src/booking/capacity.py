"""Seats and car deck."""
import csv

from .fares import MAX_PASSENGERS

OVERBOOK = 0  # never, the coast guard counts


def load_sailings(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def free_seats(sailing):
    return int(sailing["seats"]) - int(sailing["booked"]) + OVERBOOK


def is_full(sailing):
    return free_seats(sailing) <= 0


def can_hold(sailing, wanted):
    # TODO: respect holds.max_per_user
    if wanted > MAX_PASSENGERS:
        return False
    return free_seats(sailing) >= wanted
