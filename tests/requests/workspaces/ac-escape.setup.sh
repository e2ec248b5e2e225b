#!/bin/bash
set -e
export GIT_CONFIG_GLOBAL=/dev/null
git init -q
who() { export GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3" GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3"; }
who "Fergus Laird" fergus@lockedlate.example "2025-03-15T10:12:00+00:00"
git add .gitignore README.md pyproject.toml config.toml escape/__init__.py escape/pricing.py
git commit -q -m "Prices and settings"
who "Noor Haddad" noor@lockedlate.example "2025-04-03T16:40:00+00:00"
git add escape tests
git commit -q -m "Game clock, hints and lobby board"
who "Fergus Laird" fergus@lockedlate.example "2025-04-28T09:05:00+00:00"
git add data deploy
git commit -q -m "Rooms, bookings and server files"
who "Noor Haddad" noor@lockedlate.example "2025-05-11T18:22:00+00:00"
git add -A
git commit -q -m "Keep the door log and write down what is left to do"
