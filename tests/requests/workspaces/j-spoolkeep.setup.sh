set -e
git init -q -b main
git config user.name "Selma Quist"
git config user.email "selma@spoolkeep.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
S="Selma Quist <selma@spoolkeep.example>"
D="Dario Venn <dario@spoolkeep.example>"
H="Hoang Minh <minh@spoolkeep.example>"
cp spoolkeep/cost.py cost.keep
sed 's/^KWH_PRICE = 0.31$/KWH_PRICE = 0.28/' cost.keep > spoolkeep/cost.py
git add .gitignore README.md pyproject.toml spoolkeep/__init__.py spoolkeep/spool.py
c "2026-03-01T10:00:00+00:00" "$S" "First spool"
git add spoolkeep/cost.py tests/__init__.py tests/test_cost.py
c "2026-03-22T18:40:00+00:00" "$D" "What a print costs"
git add data scripts
c "2026-05-17T09:05:00+00:00" "$S" "Prints go into a CSV file"
git tag v0.4.0
git add spoolkeep/cli.py
c "2026-06-03T20:15:00+00:00" "$D" "Empty spools are not negative"
git tag v0.4.1
git add profiles docs
c "2026-07-11T13:30:00+00:00" "$D" "Profiles and printer notes"
git add spoolkeep/gcode.py tests/test_gcode.py examples
c "2026-09-08T19:00:00+00:00" "$H" "Read G-code of two slicers"
git add CHANGELOG.md requirements-dev.txt
c "2026-09-12T08:00:00+00:00" "$D" "Release 0.5.0"
git tag v0.5.0
git branch web-page
git branch load-cell
mv cost.keep spoolkeep/cost.py
