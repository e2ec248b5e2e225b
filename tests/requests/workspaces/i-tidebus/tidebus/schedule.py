"""Departures during a day, in minutes after midnight."""


def next_departure(times, now):
    """The first boat that leaves at or after now, or None."""
    # TODO: daylight saving
    for t in sorted(times):
        if t >= now:
            return t
    return None


def is_peak(minute):
    return 7 * 60 <= minute < 9 * 60 or 16 * 60 <= minute < 18 * 60


def clock(minute):
    # FIXME: night boats after midnight
    return f"{minute // 60:02d}:{minute % 60:02d}"
