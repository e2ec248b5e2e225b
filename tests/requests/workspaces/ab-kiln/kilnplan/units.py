"""Temperatures in Celsius and Fahrenheit."""


def to_f(c):
    return round(c * 9 / 5 + 32)


def to_c(f):
    return round((f - 32) * 5 / 9)
