"""Reads weight and time from the comments of a G-code file."""

import re

WEIGHT = re.compile(r"; (?:filament used \[g\]|total filament weight) ?[=:] ?([\d.]+)")
TIME = re.compile(r"; estimated printing time ?[=:] ?(?:(\d+)h )?(\d+)m")


def read_weight(text):
    m = WEIGHT.search(text)
    return float(m.group(1)) if m else None


def read_minutes(text):
    # FIXME: days are ignored, prints over 24 h come out wrong
    m = TIME.search(text)
    if not m:
        return None
    return int(m.group(1) or 0) * 60 + int(m.group(2))
