"""Command line."""

import sys

from .fares import fare
from .network import Network


def main(argv=None):
    args = sys.argv[1:] if argv is None else argv
    if not args:
        print("usage: fahrplan departures STATION | fare KM")
        return 1
    if args[0] == "departures":
        net = Network.from_csv("data/connections.csv")
        for c in net.departures(args[1]):
            print(c.dep, c.train, c.target)
        return 0
    if args[0] == "fare":
        print(f"{fare(float(args[1])):.2f}")
        return 0
    print(f"unknown command: {args[0]}")
    return 2


if __name__ == "__main__":
    sys.exit(main())
