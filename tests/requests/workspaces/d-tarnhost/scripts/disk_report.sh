#!/bin/sh
# Prints every server that uses more than 85 % of its disk.
awk -F, 'NR > 1 && $7 / $6 > 0.85 { printf "%s %d%%\n", $1, $7 * 100 / $6 }' servers.csv
