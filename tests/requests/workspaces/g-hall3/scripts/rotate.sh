#!/bin/sh
# keeps 14 days of logs
KEEP_DAYS=14
find /var/log/hall3 -name '*.log' -mtime +$KEEP_DAYS -delete
