#!/bin/sh
# nightly copy of the tables to the stick
set -e
TARGET=/media/stick/dogear
KEEP_DAYS=14
mkdir -p "$TARGET"
cp stock/books.csv "$TARGET/books-$(date +%F).csv"
cp orders/*.csv "$TARGET/"
find "$TARGET" -name 'books-*.csv' -mtime +$KEEP_DAYS -delete
echo "backup done"
