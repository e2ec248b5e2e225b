"""The command line."""

import argparse

from parcelkit import __version__
from parcelkit.rates import quote
from parcelkit.tracking import is_valid


def build_parser():
    parser = argparse.ArgumentParser(prog="parcelkit")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    q = commands.add_parser("quote")
    q.add_argument("--weight", type=float, required=True)
    q.add_argument("--zone", default="EU")
    c = commands.add_parser("check")
    c.add_argument("code")
    return parser


def main(argv=None):
    args = build_parser().parse_args(argv)
    if args.command == "quote":
        print(f"{quote(args.weight, args.zone):.2f} EUR")
        return 0
    ok = is_valid(args.code)
    print("valid" if ok else "not valid")
    return 0 if ok else 1
