"""Command line: python3 -m kiln.cli --cone 6 --kwh 38"""

import argparse
import os

from kiln.cones import temp_for
from kiln.schedule import Segment, calc_cost, total_minutes

PRICE = 0.31


def main(argv=None):
    # TODO: add a flag for fahrenheit
    parser = argparse.ArgumentParser(prog="kilnplan")
    parser.add_argument("--cone", default="6")
    parser.add_argument("--kwh", type=float, default=38)
    args = parser.parse_args(argv)

    top = temp_for(args.cone)
    plan = [Segment(100, 600), Segment(150, top, hold=15)]
    print(f"top temperature: {top} C")
    print(f"time: {total_minutes(plan)} min")
    print(f"cost: {calc_cost(args.kwh, PRICE):.2f} EUR")


if __name__ == "__main__":
    main()
