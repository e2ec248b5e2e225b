"""Look up the temperature of a cone."""

import csv
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "data" / "cones.csv"


def load_cones(path=TABLE):
    with open(path, newline="") as handle:
        return {row["cone"]: int(row["celsius"]) for row in csv.DictReader(handle)}


def clean_cone(text):
    """' cone 06' -> '06'"""
    return text.lower().replace("cone", "").strip()


def cone_temp(cone):
    table = load_cones()
    key = clean_cone(cone)
    if key not in table:
        raise KeyError(f"unknown cone: {cone}")
    return table[key]
