set -e
git init -q -b main .
git config user.name "Ines Calderon"
git config user.email ines@kiosk.example
git add README.md pyproject.toml requirements.txt src tests .env.example
GIT_AUTHOR_NAME="Ines Calderon" GIT_AUTHOR_EMAIL=ines@kiosk.example GIT_AUTHOR_DATE="2025-02-10T09:15:00+00:00" \
GIT_COMMITTER_NAME="Ines Calderon" GIT_COMMITTER_EMAIL=ines@kiosk.example GIT_COMMITTER_DATE="2025-02-10T09:15:00+00:00" \
git commit -q -m "First version at the door"
git add docs locale docker-compose.yml
GIT_AUTHOR_NAME="Wout Dekker" GIT_AUTHOR_EMAIL=wout@kiosk.example GIT_AUTHOR_DATE="2025-02-24T16:40:00+00:00" \
GIT_COMMITTER_NAME="Wout Dekker" GIT_COMMITTER_EMAIL=wout@kiosk.example GIT_COMMITTER_DATE="2025-02-24T16:40:00+00:00" \
git commit -q -m "Add the Dutch texts"
git add scripts
GIT_AUTHOR_NAME="Ines Calderon" GIT_AUTHOR_EMAIL=ines@kiosk.example GIT_AUTHOR_DATE="2025-03-11T11:05:00+00:00" \
GIT_COMMITTER_NAME="Ines Calderon" GIT_COMMITTER_EMAIL=ines@kiosk.example GIT_COMMITTER_DATE="2025-03-11T11:05:00+00:00" \
git commit -q -m "Pack script and route counter"
