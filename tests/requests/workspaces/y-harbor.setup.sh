#!/bin/bash
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME="Inês Prado" GIT_AUTHOR_EMAIL="ines@harborline.example"
export GIT_COMMITTER_NAME="Inês Prado" GIT_COMMITTER_EMAIL="ines@harborline.example"
git init -q
git symbolic-ref HEAD refs/heads/main
git config user.name "Inês Prado"
git config user.email "ines@harborline.example"
commit() { GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1" git commit -q -m "$2"; }

# the two files that carry uncommitted edits now
mkdir -p .git/keep
cp docs/deploy.md .git/keep/deploy.md
cp README.md .git/keep/README.md

cat >docs/piers.md <<'X'
# Piers

- South pier: all boats
- North pier: Marlin and Kestrel only, from June
X
sed -i '/^TODO write about/d' docs/deploy.md
sed -i '/^Settings live in/d' README.md
git add -A
commit "2025-04-14T09:12:00+01:00" "Release 1.3.2"
git rm -q docs/piers.md
commit "2025-04-22T16:40:00+01:00" "Remove piers page"

cp .git/keep/deploy.md docs/deploy.md
cp .git/keep/README.md README.md
rm -r .git/keep
