#!/bin/sh
# copies the data folder aside
set -e
cd "$(dirname "$0")/.."
cp -r data "/tmp/spoolkeep-$(date +%F)"
