#!/bin/sh
# every config needs these keys
rc=0
for f in config/*.yaml; do
  for k in addr log_level burst per_second; do
    grep -q "^$k:" "$f" || { echo "$f: missing $k"; rc=1; }
  done
  echo "$f ok"
done
exit $rc
