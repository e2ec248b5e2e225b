#!/bin/sh
# nightly copy to the usb disk, weekly to the shed
DEST=/mnt/usb/backup
KEEP_DAYS=21
LIMIT_KBPS=20000

for set in photos documents music; do
  rsync -a --delete --bwlimit=$LIMIT_KBPS /tank/$set/ $DEST/$set/ || echo "FAILED $set"
done
find $DEST -name '*.old' -mtime +$KEEP_DAYS -delete
