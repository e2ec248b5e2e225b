#!/bin/sh
# cleanup.sh - delete old logs
DAYS=30
MAX=3
# FIXME: does not work with spaces
find /var/log/home -name '*.log' -mtime +$DAYS -exec rm {} \;
for h in nas nas-old pi-hole; do
    ping -c 1 -W 2 "$h" > /dev/null || echo "$h is not there"
done
# TODO: docker image prune
exit 0
