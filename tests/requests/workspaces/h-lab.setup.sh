set -e
git init -q -b main
git config user.name "Ritu Anand"
git config user.email "ritu@kestrelwater.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
R="Ritu Anand <ritu@kestrelwater.example>"
J="Jonas Feld <jonas@kestrelwater.example>"
S="Sefa Okan <sefa@kestrelwater.example>"
git add README.md protocols/ph-calibration.md old/samples-2025.csv.bak
c "2026-01-12T09:00:00+00:00" "$R" "Start the lab folder"
git add protocols/nitrate.md instruments.json freezer.json
c "2026-06-18T13:20:00+00:00" "$J" "Nitrate protocol and the freezer list"
git add config rota.csv reagents.csv
c "2026-10-12T08:45:00+00:00" "$R" "Alarms, rota and reagents"
git tag audit-2026
git add samples.csv calibration logs
c "2026-11-16T16:05:00+00:00" "$S" "Samples and logs up to 16 November"
git add notes/handover.md
c "2026-11-16T16:40:00+00:00" "$R" "Handover notes"
git branch new-electrode
