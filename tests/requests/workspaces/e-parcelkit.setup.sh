set -e
git init -q -b main
git config user.name "Ines Duarte"
git config user.email "ines@parcelkit.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
I="Ines Duarte <ines@parcelkit.example>"
T="Tom Okafor <tom@parcelkit.example>"
git add pyproject.toml .gitignore README.md src/parcelkit/__init__.py src/parcelkit/tracking.py
c "2025-11-03T10:00:00+00:00" "$I" "Start with tracking codes"
git add src/parcelkit/rates.py src/parcelkit/data tests/test_rates.py
c "2025-11-20T16:30:00+00:00" "$T" "Add rates and zones"
git add src/parcelkit/cli.py src/parcelkit/__main__.py Makefile
c "2025-12-01T09:00:00+00:00" "$I" "Command line and Makefile"
git tag v2.1.0
git add tests/test_tracking.py config
c "2026-04-20T13:45:00+00:00" "$I" "Test tracking codes, settings of the demo shop"
git tag v2.2.0
git add src/parcelkit/labels.py tests/test_labels.py
c "2026-09-10T18:20:00+00:00" "$T" "Print labels as plain text"
git add CHANGELOG.md scripts
c "2026-09-14T08:05:00+00:00" "$I" "Release 2.3.0"
git tag v2.3.0
git branch bar-codes
git branch fix-lower-case
