ZONES = {"DE": 1.0, "AT": 1.2, "SE": 1.6, "CH": 1.9}
BASE = 4.5


def calc_rate(weight_kg, country):
    """Price of one parcel."""
    zone = ZONES.get(country, 2.5)
    # TODO: surcharge over 20 kg
    return round((BASE + 1.1 * weight_kg) * zone, 2)
