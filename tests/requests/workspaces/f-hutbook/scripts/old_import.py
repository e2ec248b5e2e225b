# reads the paper list of 2019, not used any more
import csv
import sys

for row in csv.reader(sys.stdin):
    print(row)
