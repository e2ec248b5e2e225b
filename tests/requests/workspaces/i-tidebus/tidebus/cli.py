"""Command line: prints the next boat."""

import sys

from tidebus.schedule import clock, next_departure

KORSA = [390, 455, 540, 720, 905, 1080]


def main(argv):
    now = int(argv[1]) if len(argv) > 1 else 0
    found = next_departure(KORSA, now)
    print("no boat today" if found is None else clock(found))


if __name__ == "__main__":
    main(sys.argv)
