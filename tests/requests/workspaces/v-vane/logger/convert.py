"""Units and small formulas."""
import math

KNOT = 0.514444
SECTORS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]


def ms_to_kmh(v):
    return round(v * 3.6, 1)


def ms_to_knots(v):
    return round(v / KNOT, 1)


def c_to_f(t):
    return round(t * 9 / 5 + 30, 1)


def sector(deg):
    return SECTORS[int((deg % 360) / 45 + 0.5) % 8]


def dew_point(t, rh):
    a, b = 17.62, 243.12
    g = math.log(rh / 100) + a * t / (b + t)
    return round(b * g / (a - g), 1)
