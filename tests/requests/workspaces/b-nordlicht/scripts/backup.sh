#!/bin/sh
# nightly dump of the shop database
set -eu
TARGET=${TARGET:-/srv/backup/shop}
KEEP_DAYS=14
STAMP=$(date +%Y%m%d)

pg_dump -h db01 -U shop shop_prod | gzip > "$TARGET/shop_prod-$STAMP.sql.gz"
find "$TARGET" -name '*.sql.gz' -mtime +$KEEP_DAYS -delete
echo "backup $STAMP done"
