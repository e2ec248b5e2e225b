import json
import os

LEVEL_FILE = os.path.join(os.path.dirname(__file__), "..", "data", "levels.json")


def load_levels(path=LEVEL_FILE):
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)["levels"]


def find_level(name):
    for level in load_levels():
        if level["name"] == name:
            return level
    raise KeyError(name)
