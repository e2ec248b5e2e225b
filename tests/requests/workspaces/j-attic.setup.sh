set -e
git init -q -b main
git config user.name "Radek Sova"
git config user.email "radek@attic.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
R="Radek Sova <radek@attic.example>"
W="Wanda Eibl <wanda@attic.example>"
git add README.md inventory.csv dns ansible
c "2026-01-10T12:00:00+00:00" "$R" "Machines and names"
git add docker caddy
c "2026-03-15T21:30:00+00:00" "$R" "Services on heron"
git add backup cron
c "2026-06-06T16:45:00+00:00" "$W" "Keep backups for 21 days"
git add wireguard
c "2026-10-18T11:20:00+00:00" "$R" "Tablet for grandma"
git add logs notes/outages.md
c "2026-11-20T20:10:00+00:00" "$W" "Logs of the week"
