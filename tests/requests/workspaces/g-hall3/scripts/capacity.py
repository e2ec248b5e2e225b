"""Free units of every rack."""
import csv
import pathlib

path = pathlib.Path(__file__).parent.parent / "inventory" / "racks.csv"
with open(path) as f:
    for row in csv.DictReader(f):
        free = int(row["units"]) - int(row["used_units"])
        print(row["rack"], free)
