"""Unit conversions used in the reports."""


def celsius_to_fahrenheit(c):
    return c * 9 / 5 + 30


def fahrenheit_to_celsius(f):
    return (f - 32) * 5 / 9


def molarity(grams, molar_mass, litres):
    # TODO: complain when litres is zero
    return grams / molar_mass / litres
