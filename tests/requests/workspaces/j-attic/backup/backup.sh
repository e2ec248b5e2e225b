#!/bin/sh
# nightly copy of the nas to raven
set -eu
SRC=/srv
DEST=raven:/backup/jackdaw
KEEP_DAYS=21
rsync -a --delete --exclude-from=/etc/backup/excludes.txt "$SRC/" "$DEST/current/"
ssh raven "find /backup/jackdaw/old -mtime +$KEEP_DAYS -delete"
echo "backup ok"
