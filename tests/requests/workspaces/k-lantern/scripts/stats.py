"""Average seconds per version from bench.csv."""

import csv
import sys


def averages(rows):
    sums = {}
    for row in rows:
        sums.setdefault(row["version"], []).append(float(row["seconds"]))
    return {v: round(sum(s) / len(s), 2) for v, s in sums.items()}


def main(path):
    with open(path, newline="") as f:
        for version, mean in averages(csv.DictReader(f)).items():
            print(version, mean)


if __name__ == "__main__":
    main(sys.argv[1])
