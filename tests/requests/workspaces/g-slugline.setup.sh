set -e
git init -q -b trunk
git config user.name "Wanjiru Kamau"
git config user.email "wanjiru@slugline.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
W="Wanjiru Kamau <wanjiru@slugline.example>"
T="Tobias Frei <tobias@slugline.example>"
L="Lena Sorokina <lena@slugline.example>"
P="Pham Minh <minh@slugline.example>"
git add LICENSE README.md .gitignore .editorconfig pyproject.toml
c "2026-03-01T10:00:00+00:00" "$W" "Start of the 3 series"
git tag v3.0.0
git add slugline/core.py slugline/__init__.py
c "2026-03-15T12:30:00+00:00" "$T" "No double dashes after an apostrophe"
git tag v3.0.1
git add slugline/cli.py tests
c "2026-04-21T19:15:00+00:00" "$L" "Do not crash on empty titles"
git tag v3.0.2
git add slugline/tables.py bench
c "2026-07-01T06:50:00+00:00" "$P" "Faster tables"
git add docs scripts CONTRIBUTORS.md stats
c "2026-07-04T09:00:00+00:00" "$W" "Release 3.1.0"
git tag v3.1.0
git add CHANGELOG.md
c "2026-08-19T21:40:00+00:00" "$L" "Changelog entry for limit"
git branch type-hints
git branch cyrillic
