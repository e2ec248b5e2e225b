"""What a print costs."""

PRICE_PER_KG = {"pla": 21.0, "petg": 24.5, "asa": 32.0}
SCRAP_SHARE = 0.05
WATTS = 130
KWH_PRICE = 0.31


def material_cost(grams, material):
    """Price of the filament, scrap included."""
    per_gram = PRICE_PER_KG[material] / 1000
    return round(grams * per_gram * (1 + SCRAP_SHARE), 2)


def power_cost(hours):
    return round(WATTS / 1000 * hours * KWH_PRICE, 2)


def print_cost(grams, material, hours):
    return round(material_cost(grams, material) + power_cost(hours), 2)
