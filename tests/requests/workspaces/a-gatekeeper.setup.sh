set -e
git init -q -b main
git config user.name "Hana Kowalski"
git config user.email "hana@northwind.example"
c() {
  GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1" git commit -q --author="$2" -m "$3"
}
git add go.mod main.go internal README.md
c "2026-06-01T09:00:00-0400" "Hana Kowalski <hana@northwind.example>" "Token bucket limiter"
git add config scripts Makefile VERSION
c "2026-06-15T14:10:00-0400" "Rajesh Menon <rajesh@northwind.example>" "Configs for dev, staging and prod"
git tag v1.5.0
git add deploy
c "2026-08-20T16:40:00-0400" "Hana Kowalski <hana@northwind.example>" "Dockerfile and systemd unit"
git add docs/api.md
c "2026-09-09T10:00:00-0400" "Rajesh Menon <rajesh@northwind.example>" "Document the API"
git tag v1.6.0
