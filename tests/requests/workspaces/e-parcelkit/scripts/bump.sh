#!/bin/sh
# usage: scripts/bump.sh NEW_VERSION
set -e
sed -i "s/^version = .*/version = \"$1\"/" pyproject.toml
sed -i "s/^__version__ = .*/__version__ = \"$1\"/" src/parcelkit/__init__.py
echo "now $1"
