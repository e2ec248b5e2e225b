"""Pyrometric cones and their temperatures in degrees Celsius."""

CONES = {
    "022": 586,
    "018": 715,
    "06": 998,
    "04": 1063,
    "1": 1137,
    "4": 1162,
    "5": 1186,
    "6": 1232,
    "8": 1249,
    "9": 1260,
    "10": 1285,
}


def temp_for(cone):
    """Temperature at which the cone bends."""
    key = str(cone).strip()
    if key not in CONES:
        raise KeyError(f"unknown cone: {cone}")
    return CONES[key]


def to_fahrenheit(celsius):
    return round(celsius * 9 / 5 + 32)


def nearest_cone(celsius):
    # TODO: ties should go to the lower cone
    return min(CONES, key=lambda c: abs(CONES[c] - celsius))
