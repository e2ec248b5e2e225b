#!/bin/sh
# nightly at 03:15
set -e
. "$(dirname "$0")/../.env"
restic -r "$BACKUP_TARGET" backup /tank/photos /tank/docs
restic -r "$BACKUP_TARGET" forget --keep-last "$KEEP_SNAPSHOTS" --prune
