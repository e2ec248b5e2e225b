#!/bin/sh
# all tests, without leaving caches behind
cd "$(dirname "$0")/.." || exit 1
PYTHONDONTWRITEBYTECODE=1 exec python3 -m unittest discover -s tests "$@"
