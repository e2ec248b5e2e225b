set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git init -q
git symbolic-ref HEAD refs/heads/main
save() {
  # save NAME MAIL DATE SUBJECT
  GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3T10:00:00+00:00" \
  GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3T10:00:00+00:00" \
  git commit -q -m "$4"
}
priya() { save "Priya Nandakumar" priya@crumb.example "$1" "$2"; }
olek() { save "Olek Wrona" olek@crumb.example "$1" "$2"; }
dana() { save "Dana Whitlock" dana@crumb.example "$1" "$2"; }
keep=$(mktemp -d)
cp crumb/parse.py docs/usage.md "$keep"
# the first parser knew nothing of midnight
sed -e '/past midnight/,+1d' "$keep/parse.py" > crumb/parse.py
git add crumb/parse.py crumb/__init__.py
priya 2026-01-12 "Start crumb: read lines"
git add crumb/report.py tests/test_report.py
priya 2026-01-19 "Add the totals report"
cat > docs/roadmap.md <<'R'
# Roadmap

- spring: round to quarter hours
- summer: export to a spreadsheet
- autumn: a man page, and rest
R
sed -e '/^FIXME/,+1d' "$keep/usage.md" > docs/usage.md
git add docs/roadmap.md docs/usage.md
olek 2026-02-02 "Add roadmap and usage page"
git add .github scripts tests
olek 2026-02-20 "CI on every push"
git tag v0.3.0
cp "$keep/parse.py" crumb/parse.py
git add crumb/parse.py
priya 2026-03-03 "Let entries cross midnight"
git rm -q docs/roadmap.md
git add issues.csv
dana 2026-03-15 "Drop the roadmap, issues say it all"
git add CHANGELOG.md README.md "docs/release steps.md"
priya 2026-03-22 "Release 0.4.0"
git tag v0.4.0
git add crumb/cli.py pyproject.toml
dana 2026-03-30 "Choose how many projects to show"
git checkout -q -b json-dates
echo "# JSON output" > docs/json.md
git add docs/json.md
dana 2026-04-01 "Begin a page about JSON"
echo "Days come as YYYY-MM-DD." >> docs/json.md
git add docs/json.md
dana 2026-04-03 "Say how days look in JSON"
git checkout -q main
git add benchmarks logs
olek 2026-04-07 "Nightly benchmark results"
git add config examples
priya 2026-04-08 "Ship defaults and an example week"
git add -A
if ! git diff --cached --quiet; then priya 2026-04-09 "Odds and ends"; fi
cp "$keep/usage.md" docs/usage.md
rm -r "$keep"
