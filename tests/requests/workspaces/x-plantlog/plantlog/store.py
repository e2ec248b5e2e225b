"""Reads the plants and the watering log."""

import csv
import json
from datetime import date
from pathlib import Path

DATA = Path("data")


def load_plants(path=DATA / "plants.json"):
    with open(path, encoding="utf-8") as f:
        return json.load(f)["plants"]


def load_log(path=DATA / "watering.csv"):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def last_watered(log, name):
    """The newest day in the log for this plant, or None."""
    # TODO: ignore upper and lower case in names
    days = [date.fromisoformat(r["date"]) for r in log if r["plant"] == name]
    return max(days) if days else None


def add_watering(name, ml, day, path=DATA / "watering.csv"):
    with open(path, "a", encoding="utf-8", newline="") as f:
        csv.writer(f, lineterminator="\n").writerow([day.isoformat(), name, ml])
