set -e
git init -q -b main
git config user.name "Lotte Aalto"
git config user.email "lotte@castmill.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
L="Lotte Aalto <lotte@castmill.example>"
R="Ruben Okoye <ruben@castmill.example>"
git add .gitignore package.json README.md src/duration.js src/config.js test/duration.test.js config/default.json
c "2025-09-01T10:12:00+03:00" "$L" "Start castmill"
git add src/slug.js test/slug.test.js src/feed.js data
c "2025-10-20T21:40:00+03:00" "$L" "Feed and slugs"
git add config/production.json .env.example
c "2025-12-15T09:00:00+02:00" "$R" "Production config"
git tag v1.3.0
git add src/cli.js test/feed.test.js scripts
c "2026-03-02T18:25:00+02:00" "$R" "Add the longest command"
git tag v1.4.0
git add docs tsconfig.json
c "2026-03-30T08:30:00+03:00" "$L" "Describe the format"
git tag v1.4.1
git add -A
c "2026-04-18T16:05:00+03:00" "$L" "Release 1.4.2"
git tag v1.4.2
git branch chapters
git branch fix/ampersand
printf -- '- [ ] ask Noor about the trailer\n' >> TODO.md
printf 'intro music: 12 s\n' > docs/trailer.md
