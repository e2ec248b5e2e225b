"""Turn orders into the till's format."""
import csv
import sys

SEPARATOR = ";"


def rows(path):
    with open(path, newline="", encoding="utf-8") as handle:
        yield from csv.DictReader(handle)


def gross(row, vat=0.07):
    # TODO: read vat from config/prices.json
    return float(row["qty"]) * float(row["unit_price"]) * (1 + vat)


if __name__ == "__main__":
    for row in rows(sys.argv[1]):
        print(row["order_id"], round(gross(row), 2), sep=SEPARATOR)
