"""Command line."""

import argparse
from pathlib import Path

from .schedule import hold, ramp, ramp_time, schedule
from .units import to_f

DEFAULTS = Path(__file__).resolve().parent.parent / "config" / "defaults.toml"


def load_defaults(path=DEFAULTS):
    try:
        import tomllib
    except ImportError:
        import tomli as tomllib
    with open(path, "rb") as handle:
        return tomllib.load(handle)


def cool_line(top, cool):
    return ramp(top, 40, cool)


def main(argv=None):
    parser = argparse.ArgumentParser(prog="kilnplan")
    parser.add_argument("--cone", required=True)
    parser.add_argument("--speed", choices=["slow", "medium", "fast"], default="medium")
    parser.add_argument("--hold", type=int)
    parser.add_argument("--unit", choices=["C", "F"], default="C")
    args = parser.parse_args(argv)
    preset = load_defaults()[args.speed]
    minutes = preset["hold"] if args.hold is None else args.hold
    lines = schedule(args.cone, preset["rate"], minutes)
    lines.append(cool_line(lines[-1]["end"], preset["cool"]))
    for line in lines:
        end = to_f(line["end"]) if args.unit == "F" else line["end"]
        print(f"{end:>6} {args.unit} {line['minutes']:>5} min")
    return 0
