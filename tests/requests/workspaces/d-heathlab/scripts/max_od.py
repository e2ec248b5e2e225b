import csv
import sys


def main(path):
    best = {}
    with open(path, newline="") as handle:
        for row in csv.DictReader(handle):
            od = float(row["od600"])
            best[row["strain"]] = max(best.get(row["strain"], 0.0), od)
    for strain, od in sorted(best.items()):
        print(f"{strain} {od:.2f}")


if __name__ == "__main__":
    main(sys.argv[1])
