#!/bin/bash
set -e
export GIT_CONFIG_GLOBAL=/dev/null
commit() { # author mail date message
  GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3" \
  GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3" \
  git commit -q -m "$4"
}
git init -q
git symbolic-ref HEAD refs/heads/main
git config user.name "Juno Achterberg"
git config user.email "juno@lanternmoth.example"
cp CHANGELOG.md .git/final-changelog
cp TODO.md .git/final-todo
git add .gitignore README.md pyproject.toml lanternmoth
commit "Juno Achterberg" juno@lanternmoth.example "2025-03-09T20:15:00+01:00" "Start of the 0.4 line"
git add data docs
commit "Pim Sorensen" pim@lanternmoth.example "2025-03-22T11:02:00+01:00" "Levels, enemies and controls page"
git add config
commit "Juno Achterberg" juno@lanternmoth.example "2025-04-02T21:40:00+02:00" "Remember the volume setting"
git add tests
commit "Juno Achterberg" juno@lanternmoth.example "2025-05-17T19:05:00+02:00" "Add unit tests"
grep -v -e stalactites CHANGELOG.md > .git/tmp && cp .git/tmp CHANGELOG.md
grep -v -e "credits screen" TODO.md > .git/tmp && cp .git/tmp TODO.md
git add CHANGELOG.md TODO.md
commit "Pim Sorensen" pim@lanternmoth.example "2025-05-18T10:30:00+02:00" "Changelog and todo for 0.4.2"
git tag v0.4.2
git branch gamepad-experiment
cp .git/final-changelog CHANGELOG.md
cp .git/final-todo TODO.md
rm -f .git/tmp .git/final-changelog .git/final-todo
