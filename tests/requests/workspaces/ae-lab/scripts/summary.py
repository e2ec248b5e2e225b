"""Mean per sampling point.

usage: summary.py FILE [--skip N] [--digits N]
"""
import argparse
import csv
from collections import defaultdict


def read_values(path, skip=0):
    """Values of the third column by point; leaves out the first `skip` rows."""
    values = defaultdict(list)
    with open(path, newline="") as handle:
        rows = list(csv.reader(handle))[1:]
    for row in rows[skip:]:
        # TODO: report empty cells instead of ignoring them
        if row[2] == "":
            continue
        values[row[1]].append(float(row[2]))
    return values


def mean(numbers):
    return sum(numbers) / len(numbers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--digits", type=int, default=2)
    args = parser.parse_args()
    for point, numbers in sorted(read_values(args.file, args.skip).items()):
        print(f"{point}\t{len(numbers)}\t{mean(numbers):.{args.digits}f}")


if __name__ == "__main__":
    main()
