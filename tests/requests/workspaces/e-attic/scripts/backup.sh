#!/bin/bash
# copies /srv and /home to the usb disk
set -eu
TARGET=/mnt/usb/backup
KEEP=14
mountpoint -q /mnt/usb || { echo "ERROR target $TARGET not mounted"; exit 2; }
rsync -a --delete /srv /home "$TARGET/$(date +%F)"
find "$TARGET" -maxdepth 1 -mtime +"$KEEP" -exec rm -rf {} +
