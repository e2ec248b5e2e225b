"""Times of day as minutes."""

MINUTES_PER_DAY = 1440


def parse_time(text):
    """Minutes since midnight of "HH:MM"."""
    hours, minutes = text.strip().split(":")
    value = int(hours) * 60 + int(minutes)
    if not 0 <= value < MINUTES_PER_DAY:
        raise ValueError(f"not a time of day: {text!r}")
    return value


def format_time(minutes):
    minutes %= MINUTES_PER_DAY
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def duration(start, end):
    """Minutes from start to end; a trip may run over midnight."""
    return (parse_time(end) - parse_time(start)) % MINUTES_PER_DAY
