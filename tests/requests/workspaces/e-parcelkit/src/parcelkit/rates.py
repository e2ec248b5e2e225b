"""Prices of parcels."""

import json
from pathlib import Path

FUEL_SURCHARGE = 0.06
MAX_WEIGHT = 30.0
FREE_SHIPPING_FROM = 75

ZONES = json.loads((Path(__file__).parent / "data" / "zones.json").read_text())


class TooHeavy(ValueError):
    """The parcel weighs more than the carrier takes."""


def base_price(weight, zone):
    """Price without surcharges."""
    if weight > MAX_WEIGHT:
        raise TooHeavy(f"{weight} kg is more than {MAX_WEIGHT} kg")
    tariff = ZONES[zone]
    return tariff["base"] + tariff["per_kg"] * weight


def quote(weight, zone, order_total=0):
    """What the customer pays."""
    if order_total >= FREE_SHIPPING_FROM:
        return 0.0
    return round(base_price(weight, zone) * (1 + FUEL_SURCHARGE), 2)


def insurance_fee(value):
    # TODO: ask the insurer about values above 5000
    return round(max(1.5, value * 0.01), 2)
