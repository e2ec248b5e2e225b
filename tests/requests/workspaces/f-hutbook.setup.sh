set -e
git init -q -b main
git config user.name "Greta Lang"
git config user.email "greta@ridgehut.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
G="Greta Lang <greta@ridgehut.example>"
M="Milo Farkas <milo@ridgehut.example>"
Y="Yara Benali <yara@ridgehut.example>"
cp requirements.txt requirements.keep
grep -v tabulate requirements.keep > requirements.txt
git add .gitignore README.md LICENSE hutbook/__init__.py hutbook/prices.py scripts/old_import.py
c "2025-02-08T11:00:00+00:00" "$G" "First prices"
git add hutbook/booking.py config requirements.txt
c "2025-04-19T15:20:00+00:00" "$G" "Bookings and the default config"
git add tests scripts/check.sh
c "2025-04-27T09:10:00+00:00" "$Y" "Tests for prices and bookings"
git add hutbook/store.py
c "2026-05-09T17:45:00+00:00" "$M" "Keep bookings in SQLite"
git tag v0.8.0
git add .env.example
c "2026-06-30T08:30:00+00:00" "$G" "Children under 6 stay for free"
git tag v0.8.1
git add hutbook/report.py
c "2026-08-20T19:05:00+00:00" "$M" "Report with totals per month"
git add CHANGES.md
c "2026-08-21T07:50:00+00:00" "$G" "Release 0.8.2"
git tag v0.8.2
git branch winter-prices
git branch waiting-list
mv requirements.keep requirements.txt
