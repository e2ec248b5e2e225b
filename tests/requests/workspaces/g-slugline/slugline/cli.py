"""slugline TITLE..."""

import argparse

from slugline.core import slugify


def main(argv=None):
    parser = argparse.ArgumentParser(prog="slugline")
    parser.add_argument("title", nargs="+")
    parser.add_argument("--sep", default="-")
    args = parser.parse_args(argv)
    print(slugify(" ".join(args.title), args.sep))
    return 0
