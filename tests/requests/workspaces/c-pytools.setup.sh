set -e
git init -q -b main
git config user.name "Dana Okafor"
git config user.email "dana@example.com"
c() { GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1" git commit -q -m "$2"; }
git add README.md pyproject.toml .gitignore lib
c "2024-02-03T09:00:00+00:00" "start the collection"
git add tools/__init__.py tools/wordfreq.py tools/temps.py samples
c "2024-02-10T10:30:00+00:00" "word counter and temperatures"
git add tools config
c "2024-03-01T17:45:00+00:00" "backup, photos and csv merge"
git add tests notes
c "2024-04-14T08:20:00+00:00" "tests for dates and text"
printf 'TOKEN_LIFETIME = 3600\n' >> lib/dates.py
