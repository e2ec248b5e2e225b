#!/bin/sh
# lists the archived logs that would be packed
for f in logs/archive/*.log; do
  echo "would pack $f"
done
