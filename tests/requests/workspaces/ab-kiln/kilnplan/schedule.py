"""Build firing schedules."""

from .cones import cone_temp

HOLD_LIMIT = 60
RATE_LIMIT = 300
RATE_SLOW = 60
CANDLE_TEMP = 95


def ramp(start, end, rate):
    """One line of a schedule, from start to end at rate degrees an hour."""
    if rate <= 0 or rate > RATE_LIMIT:
        raise ValueError(f"rate out of range: {rate}")
    return {"start": start, "end": end, "rate": rate, "minutes": ramp_time(start, end, rate)}


def ramp_time(start, end, rate):
    return round(abs(end - start) / rate * 60)


def hold(temp, minutes):
    if minutes < 0 or minutes > HOLD_LIMIT:
        raise ValueError(f"hold out of range: {minutes}")
    return {"start": temp, "end": temp, "rate": 0, "minutes": minutes}


def schedule(cone, rate, hold_minutes):
    top = cone_temp(cone)
    first = ramp(20, CANDLE_TEMP, RATE_SLOW)
    last_ramp = ramp(CANDLE_TEMP, top, rate)
    return [first, last_ramp, hold(top, hold_minutes)]
