#!/bin/sh
awk -F, 'NR > 1 { s += $2 } END { printf "%.1f mm\n", s }' data/rain.csv
