#!/bin/sh
# counts errors in the log given; fails above the limit
LOG=${1:-logs/app.log}
LIMIT=${2:-20}
n=$(grep -c ' ERROR ' "$LOG")
echo "errors: $n"
[ "$n" -le "$LIMIT" ] || { echo "UNHEALTHY"; exit 1; }
echo "healthy"
