import csv
import sys

LIMIT = 85


def report(path="servers.csv"):
    lines = []
    with open(path, newline="") as handle:
        for row in csv.DictReader(handle):
            percent = 100 * int(row["used_gb"]) / int(row["disk_gb"])
            if percent > LIMIT:
                lines.append(f"{row['host']} {percent:.1f}%")
    return lines


if __name__ == "__main__":
    print("\n".join(report(*sys.argv[1:])))
