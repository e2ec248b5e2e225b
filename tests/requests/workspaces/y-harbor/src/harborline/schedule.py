"""Timetable of the south pier."""

VESSELS = [
    "Marlin",
    "Kestrel",
    "Petrel",
    "Storm Petrel",
]

DEPARTURES = ["07:30", "09:10", "11:45", "14:20", "17:00", "19:40"]


def minutes(clock):
    hours, mins = clock.split(":")
    return int(hours) * 60 + int(mins)


def next_departure(clock):
    """First departure at or after the given time, or None."""
    for departure in DEPARTURES:
        if minutes(departure) >= minutes(clock):
            return departure
    return None


def is_late(planned, actual, grace=5):
    return minutes(actual) - minutes(planned) > grace


def is_early(planned, actual, grace=5):
    return minutes(planned) - minutes(actual) > grace
