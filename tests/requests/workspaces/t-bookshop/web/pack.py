"""Print the labels for a list of parcels: python3 web/pack.py parcels.csv"""
import csv
import sys

from labels import mk_lbl, mk_return_lbl


def main(path):
    with open(path, newline="") as handle:
        for row in csv.DictReader(handle):
            print(mk_lbl(row["name"], row["street"], row["town"]))
            print()
    print(mk_return_lbl())


if __name__ == "__main__":
    main(sys.argv[1])
