#!/bin/sh
# file backup to the nas
SRC=/srv/radio
DEST=/mnt/nas/backup
KEEP_DAYS=14
KEEP_WEEKS=14

rsync -a --delete "$SRC/" "$DEST/current/"
find "$DEST/daily" -mtime +"$KEEP_DAYS" -delete
