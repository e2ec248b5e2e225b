"""Small text reports."""

from collections import defaultdict


def by_room(plants):
    rooms = defaultdict(list)
    for p in plants:
        rooms[p["room"]].append(p["name"])
    return {room: sorted(names) for room, names in rooms.items()}


def litres(log):
    # TODO: skip rows without an amount
    return sum(int(r["ml"]) for r in log) / 1000


def print_rooms(plants):
    for room, names in sorted(by_room(plants).items()):
        print(f"{room}: {', '.join(names)}")
