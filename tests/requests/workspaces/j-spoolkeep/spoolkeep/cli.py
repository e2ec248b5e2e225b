"""The commands."""

import sys

from spoolkeep import __version__
from spoolkeep.cost import material_cost
from spoolkeep.spool import load

SPOOLS = "data/spools.json"


def cmd_list():
    for s in load(SPOOLS):
        flag = "!" if s.is_empty() else " "
        print(f"{flag} {s.id:6} {s.material:5} {s.color:12} {s.left_g:6.0f} g")


def cmd_dry():
    for s in load(SPOOLS):
        if s.wants_drying():
            print(s.id, s.days_open, "days open")


def cmd_cost(grams, material):
    print(material_cost(float(grams), material))


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    # TODO: use argparse
    if not argv or argv[0] == "list":
        cmd_list()
    elif argv[0] == "dry":
        cmd_dry()
    elif argv[0] == "cost":
        cmd_cost(*argv[1:])
    elif argv[0] == "version":
        print(__version__)
    else:
        sys.exit(f"no such command: {argv[0]}")


if __name__ == "__main__":
    main()
