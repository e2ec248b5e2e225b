set -e
git init -q -b main .
printf '.env\nlogs/\n' > .git/info/exclude
git config user.name "Marijke de Boer"
git config user.email marijke@skerryline.example
say() {
  GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3" \
  GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3" git commit -q -m "$4"
}
cp config/app.yaml .git/app.yaml
cp config/alerts.ini .git/alerts.ini
sed 's/minutes: 15 /minutes: 10 /' .git/app.yaml > config/app.yaml
sed 's/latency_ms = 800/latency_ms = 500/' .git/alerts.ini > config/alerts.ini
git add README.md config docs src data
say "Marijke de Boer" marijke@skerryline.example "2024-03-28T09:12:00+0000" "waitlist and islander discount"
git add gateway
say "Tom Halloran" tom@skerryline.example "2024-05-16T15:40:00+0000" "gateway: seat locks in go"
cp .git/app.yaml config/app.yaml
git add config/app.yaml CHANGELOG.md
say "Marijke de Boer" marijke@skerryline.example "2024-06-10T08:05:00+0000" "hold seats for 15 minutes"
git tag v1.3.0
git branch dog-tickets
cp .git/alerts.ini config/alerts.ini
rm .git/app.yaml .git/alerts.ini
