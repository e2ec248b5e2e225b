"""Tides at Kestrel Point."""

STATION = "KP-02"
MAX_AGE_HOURS = 6
SAFETY_MARGIN_CM = 40


def usable(depth_cm, draught_cm):
    """Whether a boat may pass the bar."""
    return depth_cm - draught_cm >= SAFETY_MARGIN_CM
