set -e
git init -q -b main
git config user.name "Marek Zielony"
git config user.email "marek@parcelo.example"
git config commit.gpgsign false
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
M="Marek Zielony <marek@parcelo.example>"
S="Sanne Dekker <sanne@parcelo.example>"
Y="Yusuf Aydin <yusuf@parcelo.example>"
cp deploy/production.env production.keep
sed -e 's/DB_POOL=20/DB_POOL=12/' production.keep > deploy/production.env
git add .gitignore deploy docker-compose.yml
c "2026-03-02T09:12:00+00:00" "$Y" "Deployment files"
git add servers.json oncall.csv certs.csv runbook.md
c "2026-04-28T13:55:00+00:00" "$M" "Servers, rota and runbook"
git add scripts tests
c "2026-07-06T10:30:00+00:00" "$S" "Prune and VAT helpers"
git add billing support
c "2026-10-01T08:20:00+00:00" "$S" "Invoices and tickets"
mv production.keep deploy/production.env
git add deploy/production.env
c "2026-11-12T23:47:00+00:00" "$M" "More database connections in production"
git add logs
c "2026-11-19T06:10:00+00:00" "$M" "Logs of the night"
git branch label-fix
