set -e
git init -q -b main
git config user.name "Ines Bakke"
git config user.email "ines@tidebus.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
I="Ines Bakke <ines@tidebus.example>"
T="Tomasz Wrona <tomasz@tidebus.example>"
L="Lucie Adair <lucie@tidebus.example>"
cp config/dev.toml dev.keep
sed 's/cache_seconds = 5/cache_seconds = 30/' dev.keep > config/dev.toml
git add .gitignore README.md pyproject.toml requirements.txt scripts/import_pdf.py
c "2025-09-01T08:00:00+00:00" "$I" "Start the project"
git add tidebus/__init__.py tidebus/schedule.py tidebus/cli.py
c "2025-10-12T13:30:00+00:00" "$I" "Find the next boat"
git add tests/__init__.py tests/test_schedule.py
c "2025-11-20T16:10:00+00:00" "$T" "Tests for the timetable"
git tag v0.3.0
git add tidebus/fares.py tests/test_fares.py
c "2026-04-18T10:05:00+00:00" "$T" "Fares with a discount for seniors"
git add config
c "2026-05-02T09:00:00+00:00" "$I" "Settings for dev, staging and prod"
git tag v0.4.0
git add scripts/check.sh docs
c "2026-06-25T11:45:00+00:00" "$L" "Write down how to deploy"
git add CHANGELOG.md
c "2026-07-14T15:20:00+00:00" "$I" "Release 0.4.1"
git tag v0.4.1
git branch night-boats
git branch dog-tickets
mv dev.keep config/dev.toml
