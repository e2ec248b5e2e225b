"""Command line: due, water, rooms."""

import sys
from datetime import date

from plantlog import report, schedule, store

DEFAULT_ML = 250


def cmd_due(today):
    log = store.load_log()
    found = []
    for plant in store.load_plants():
        last = store.last_watered(log, plant["name"])
        if last is None or schedule.is_due(plant, last, today):
            late = 0 if last is None else schedule.thirst(plant, last, today)
            found.append((late, plant["name"]))
    for late, name in sorted(found, reverse=True):
        print(f"{name}: {late} days late")
    return 0


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if not argv or argv[0] not in ("due", "water", "rooms"):
        print("usage: plantlog due | water NAME | rooms")
        return 2
    today = date.today()
    if argv[0] == "due":
        return cmd_due(today)
    if argv[0] == "rooms":
        report.print_rooms(store.load_plants())
        return 0
    # TODO: let people give the amount
    store.add_watering(argv[1], DEFAULT_ML, today)
    print(f"watered {argv[1]}")
    return 0
