set -e
git init -q -b main
git config user.name "Tamsin Vale"
git config user.email "tamsin@lantern.example"
git config commit.gpgsign false
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
T="Tamsin Vale <tamsin@lantern.example>"
O="Okello Mbeki <okello@lantern.example>"
B="Brann Ives <brann@lantern.example>"
cp CHANGELOG.md CHANGELOG.keep
cp docs/flags.md flags.keep
sed -e '/^## Unreleased/,/^## 1.4.1/{/^## 1.4.1/!d}' CHANGELOG.keep > CHANGELOG.md
grep -v -e '--ignore' flags.keep > docs/flags.md
git add README.md go.mod main.go .gitignore
c "2025-09-14T10:00:00+00:00" "$O" "Start of lantern"
git add internal/crawl/crawl.go cmd/root.go
c "2025-10-02T18:40:00+00:00" "$O" "Find links and probe them"
git add internal/crawl/crawl_test.go testdata
c "2025-11-08T09:05:00+00:00" "$T" "Tests with sample pages"
git tag v1.2.2
git add cmd/check.go Makefile
c "2026-02-17T21:10:00+00:00" "$O" "Add --retries"
git tag v1.3.0
git add cmd/list.go internal/report
c "2026-06-03T12:00:00+00:00" "$T" "List command and JSON output"
git tag v1.4.0
git add docs .lantern.toml
c "2026-06-20T08:15:00+00:00" "$B" "Document flags and exit codes"
git add scripts bench.csv
c "2026-07-11T16:30:00+00:00" "$O" "Benchmark script"
git add CHANGELOG.md
c "2026-07-22T07:45:00+00:00" "$O" "Release 1.4.1"
git tag v1.4.1
git branch proxy-support
git branch windows-build v1.4.0
mv CHANGELOG.keep CHANGELOG.md
mv flags.keep docs/flags.md
