set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git init -q
git symbolic-ref HEAD refs/heads/main
commit() {
  GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3" \
  GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3" \
  git commit -q -m "$4"
}
git add README.md .gitignore requirements.txt server
commit "Mira Holm" mira@tidewatch.example "2026-09-14T10:12:00+0000" "Start of the server"
git add package.json web config
commit "Tomasz Wrona" tomasz@tidewatch.example "2026-10-02T16:40:00+0000" "Add web front end and config"
git add CHANGELOG.md docker-compose.yml .env.example data
commit "Mira Holm" mira@tidewatch.example "2026-11-11T08:05:00+0000" "Compose file, users and changelog"
