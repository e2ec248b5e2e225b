"""Glue CSV files with the same header together."""
import csv
import sys


def merge(paths, out):
    header = None
    rows = 0
    with open(out, "w", newline="", encoding="utf-8") as target:
        writer = csv.writer(target)
        for path in paths:
            with open(path, newline="", encoding="utf-8") as f:
                reader = csv.reader(f)
                first = next(reader)
                if header is None:
                    header = first
                    writer.writerow(header)
                # TODO: complain when the headers differ
                for row in reader:
                    writer.writerow(row)
                    rows += 1
    return rows


def main():
    n = merge(sys.argv[2:], sys.argv[1])
    print(f"merged {n} rows into {sys.argv[1]}")


if __name__ == "__main__":
    main()
