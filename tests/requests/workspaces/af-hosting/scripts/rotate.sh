#!/bin/bash
# moves old logs away, run by cron on every machine
LOGDIR=/var/log/nginx
KEEP=14

for f in "$LOGDIR"/*.log; do
    mv "$f" "$f.$(date +%F)"
done
find "$LOGDIR" -name '*.log.*' -mtime +$KEEP -delete
