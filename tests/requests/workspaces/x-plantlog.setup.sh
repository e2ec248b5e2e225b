#!/bin/bash
set -e
export GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME="Wim Achterberg" GIT_AUTHOR_EMAIL="wim@achterberg.example"
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
git init -q
git symbolic-ref HEAD refs/heads/main
git config user.name "Wim Achterberg"
git config user.email "wim@achterberg.example"
keep=$(mktemp -d)
cp -p plantlog/schedule.py "$keep/schedule.py"
cp -p config/default.yaml "$keep/default.yaml"
at() { export GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1"; }

at "2026-03-15T10:12:00+0100"
sed -i 's/ < today$/ <= today/' plantlog/schedule.py
sed -i 's/^log_level: debug$/log_level: info/; s/07:45/08:00/' config/default.yaml
git add README.md .gitignore pyproject.toml plantlog/__init__.py plantlog/__main__.py plantlog/schedule.py plantlog/store.py config/default.yaml data/plants.json
git commit -q -m "First version"
git tag v0.1.0

at "2026-04-18T20:40:00+0200"
git add plantlog/report.py plantlog/cli.py Makefile
git commit -q -m "Add command line and room report"

at "2026-05-03T17:05:00+0200"
git add tests CHANGELOG.md data/watering.csv
git commit -q -m "Add tests, release 0.2.0"
git tag v0.2.0
git branch ics-export

at "2026-06-01T22:31:00+0200"
cp -p "$keep/schedule.py" plantlog/schedule.py
export GIT_AUTHOR_NAME="Joost Verhagen" GIT_AUTHOR_EMAIL="joost@verhagen.example"
git add plantlog/schedule.py
git commit -q -m "Tidy up is_due"

at "2026-06-04T08:15:00+0200"
export GIT_AUTHOR_NAME="Wim Achterberg" GIT_AUTHOR_EMAIL="wim@achterberg.example"
git add logs/nightly.log
git commit -q -m "Keep nightly log for now"

cp -p "$keep/default.yaml" config/default.yaml
rm -rf "$keep"
