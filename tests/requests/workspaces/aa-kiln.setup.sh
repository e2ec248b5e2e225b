#!/bin/bash
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
final=$(mktemp -d)
cp -a . "$final/"
git init -q
git symbolic-ref HEAD refs/heads/main
git config user.name "Marta Lindqvist"
git config user.email "marta@lindqvist-pottery.example"
git config commit.gpgsign false

by() { # name, email, date, message
  GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3" \
  GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3" \
  git commit -q -m "$4"
}
M="Marta Lindqvist"; ME="marta@lindqvist-pottery.example"
J="Joe Okafor"; JE="joe@okafor.example"

sed -i -e '/Spanish/d' -e '/release 0.5/d' TODO.md
sed -i 's/0\.4\.2/0.4.0/' pyproject.toml kiln/__init__.py
sed -i '/"8": 1249/d; /"9": 1260/d' kiln/cones.py

git add README.md .gitignore pyproject.toml kiln Makefile
by "$M" "$ME" "2025-01-19T18:20:00+01:00" "First command line version"
git tag v0.4.0
git add tests
by "$J" "$JE" "2025-01-25T10:05:00+01:00" "Add tests for cones and schedule"
sed -i 's/0\.4\.0/0.4.1/' pyproject.toml kiln/__init__.py
git add -u -- pyproject.toml kiln
by "$M" "$ME" "2025-02-16T20:41:00+01:00" "Release 0.4.1"
git branch glaze-log
git add TODO.md config
by "$M" "$ME" "2025-03-02T09:12:00+01:00" "Add config and todo list"
cp "$final/kiln/cones.py" kiln/cones.py
cp "$final/pyproject.toml" pyproject.toml
cp "$final/kiln/__init__.py" kiln/__init__.py
git add -u -- pyproject.toml kiln
git add CHANGELOG.md
by "$M" "$ME" "2025-03-30T17:33:00+02:00" "Release 0.4.2 with cones 8 and 9"
git add data
by "$J" "$JE" "2025-04-15T08:50:00+02:00" "Log the April firings"

cp "$final/TODO.md" TODO.md
rm -rf "$final"
