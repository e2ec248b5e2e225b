#!/bin/sh
# usage: sh scripts/count_errors.sh [logfile]
f=${1:-logs/app.log}
n=$(grep -c ' ERROR ' "$f")
echo "$f: $n errors"
[ "$n" -lt 5 ]
