set -e
git init -q -b main
git config user.name "Greta Sommer"
git config user.email "greta@fahrplan.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
G="Greta Sommer <greta@fahrplan.example>"
B="Bence Nagy <bence@fahrplan.example>"
git add pyproject.toml .gitignore setup.cfg src/fahrplan/__init__.py src/fahrplan/times.py tests/test_times.py
c "2025-06-02T08:15:00+02:00" "$G" "project skeleton and times"
git add src/fahrplan/fares.py
c "2025-07-14T19:02:00+02:00" "$B" "fares with youth discount"
git add src/fahrplan/network.py data tests/test_network.py
c "2025-09-30T11:48:00+02:00" "$G" "network: fastest connection"
git add src/fahrplan/cli.py README.md
c "2025-10-08T07:55:00+02:00" "$G" "command line"
git add tests/test_fares.py
c "2025-11-17T22:10:00+01:00" "$B" "tests of the fares, group test still red"
git add -A
c "2025-12-01T09:30:00+01:00" "$G" "docs and changelog"
printf '\nSee also the timetable notes.\n' >> docs/usage.md
printf 'draft\n' > docs/notes_draft.md
