#!/bin/sh
# nightly dump, kept for RETENTION_DAYS
set -eu
RETENTION_DAYS=14
TARGET=/var/backups/shop
echo "backing up shop to $TARGET (keeping $RETENTION_DAYS days)"
