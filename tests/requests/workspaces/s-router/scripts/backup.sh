#!/bin/sh
# nightly backup of srv1 to the nas
# usage: backup.sh [keep]
KEEP=${1:-7}
SRC=/srv/data
DST=/mnt/nas/backup
RETRIES=3
LOG=/var/log/backup.log

log() {
    echo "$(date '+%F %T') $1" >> "$LOG"
}

log "start"
# TODO: check free space first
n=0
while [ $n -lt $RETRIES ]; do
    rsync -a --delete "$SRC/" "$DST/today/" && break
    n=$((n + 1))
    sleep 30
done

# do not delete the newest ones
ls -1t "$DST" | tail -n +$KEEP | while read -r old; do
    echo "would delete $old"
    # rm -rf "$DST/$old"
done
log "end"
