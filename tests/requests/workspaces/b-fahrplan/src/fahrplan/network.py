"""Stations and connections."""

import csv
import heapq

from .times import duration, parse_time


class Connection:
    def __init__(self, train, origin, target, dep, arr):
        self.train = train
        self.origin = origin
        self.target = target
        self.dep = dep
        self.arr = arr

    def minutes(self):
        return duration(self.dep, self.arr)


class Network:
    def __init__(self, connections=()):
        self.connections = list(connections)

    @classmethod
    def from_csv(cls, path):
        with open(path, encoding="utf-8") as f:
            return cls(Connection(**row) for row in csv.DictReader(f))

    def departures(self, station):
        """All connections from a station, earliest first."""
        found = [c for c in self.connections if c.origin == station]
        return sorted(found, key=lambda c: parse_time(c.dep))

    def fastest(self, origin, target, start="00:00"):
        # TODO: changes need at least four minutes
        queue = [(parse_time(start), origin, [])]
        seen = set()
        while queue:
            now, station, path = heapq.heappop(queue)
            if station == target:
                return path
            if station in seen:
                continue
            seen.add(station)
            for c in self.departures(station):
                if parse_time(c.dep) >= now:
                    heapq.heappush(queue, (parse_time(c.arr), c.target, path + [c.train]))
        return None
