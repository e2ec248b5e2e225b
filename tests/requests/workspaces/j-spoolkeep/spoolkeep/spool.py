"""A spool and what is left on it."""

import json
from dataclasses import dataclass

EMPTY_BELOW_G = 15
DRY_AFTER_DAYS = 45


@dataclass
class Spool:
    id: str
    material: str
    color: str
    left_g: float
    days_open: int

    def is_empty(self):
        return self.left_g < EMPTY_BELOW_G

    def wants_drying(self):
        return self.material != "pla" and self.days_open > DRY_AFTER_DAYS


def load(path):
    """All spools of the file."""
    with open(path) as f:
        rows = json.load(f)
    return [Spool(r["id"], r["material"], r["color"], r["left_g"], r["days_open"]) for r in rows]


def take(spool, grams):
    # TODO: warn when less than one metre is left
    if grams > spool.left_g:
        raise ValueError(f"spool {spool.id} holds only {spool.left_g} g")
    spool.left_g -= grams
    return spool
