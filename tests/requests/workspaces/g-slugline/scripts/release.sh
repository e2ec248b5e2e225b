#!/bin/sh
# 1. version in pyproject.toml and __init__.py  2. changelog  3. tag
set -e
python3 -m build
git tag "v$1"
git push --tags
