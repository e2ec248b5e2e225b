"""Mean temperature per station, without gaps and outliers."""
import csv
import sys
from collections import defaultdict

LIMIT = 60.0


def main(path):
    sums = defaultdict(lambda: [0.0, 0])
    with open(path, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            if not row["temp_c"]:
                continue
            value = float(row["temp_c"])
            if value > LIMIT:
                continue
            sums[row["station"]][0] += value
            sums[row["station"]][1] += 1
    for station in sorted(sums):
        total, n = sums[station]
        print(f"{station} {total / n:.2f} {n}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "data/2026-04-week1.csv")
