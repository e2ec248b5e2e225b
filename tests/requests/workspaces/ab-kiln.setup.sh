#!/bin/bash
set -e
export GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME="Ines Varga" GIT_AUTHOR_EMAIL="ines@example.org"
export GIT_COMMITTER_NAME="Ines Varga" GIT_COMMITTER_EMAIL="ines@example.org"
git init -q
keep=$(mktemp -d)
cp Makefile CHANGELOG.md TODO.md "$keep"
commit() { GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1" git commit -q -m "$2"; }
sed -i 's/python3 -m unittest -q/python3 -m unittest discover -s tests -v/; s/ruff check kilnplan/ruff check kilnplan tests/' Makefile
sed -i '/^### Changed$/,/^- shorter make targets$/d' CHANGELOG.md
sed -i '/German translation/d' TODO.md
git add -A
commit "2025-01-19T18:02:00+0100" "Release 0.8.2"
cat "$keep/TODO.md" > TODO.md
git add -A
commit "2025-02-02T10:15:00+0100" "Translation goes on the list"
cat "$keep/Makefile" > Makefile
cat "$keep/CHANGELOG.md" > CHANGELOG.md
git add -A
commit "2025-02-20T21:40:00+0100" "Shorter make targets"
rm -rf "$keep"
