#!/bin/sh
# packs the kiosk for the tablets
set -e
VERSION=0.9.4
OUT=dist/kiosk-$VERSION.tar.gz
mkdir -p dist
tar czf "$OUT" src locale
echo "packed $OUT"
