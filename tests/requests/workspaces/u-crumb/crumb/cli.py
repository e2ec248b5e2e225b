"""The command line."""

import argparse
import json
import sys

from crumb import __version__
from crumb.parse import CrumbError, parse_file
from crumb.report import render, totals


def build_parser():
    parser = argparse.ArgumentParser(prog="crumb")
    parser.add_argument("file")
    parser.add_argument("--top", type=int, default=5, help="how many projects to show")
    parser.add_argument("--json", action="store_true", help="totals in minutes, as JSON")
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def main(argv=None):
    args = build_parser().parse_args(argv)
    try:
        entries = parse_file(args.file)
    except CrumbError as problem:
        print(f"crumb: {problem}", file=sys.stderr)
        return 2
    if args.json:
        # TODO: include the days as well (see branch json-dates)
        print(json.dumps(dict(totals(entries))))
    else:
        print(render(entries, args.top))
    return 0


if __name__ == "__main__":
    sys.exit(main())
