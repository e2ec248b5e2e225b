set -e
git init -q -b main
git config user.name "Mika Brandt"
git config user.email "mika@example.org"
c() { GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1" git -c user.name="$2" -c user.email="$3" commit -q -m "$4"; }
git add .gitignore package.json README.md src/index.js src/board.js src/utils
c "2023-11-30T18:02:11+00:00" "Mika Brandt" mika@example.org "first playable board"
git add src/input/keyboard.js src/game.js docs
c "2024-01-09T20:41:00+00:00" "Mika Brandt" mika@example.org "keyboard control and pause"
git add src/score.js data
c "2024-01-21T11:15:30+00:00" "Tove Lind" tove@example.org "add highscore file"
git add levels src/input/touch.js
c "2024-02-27T21:09:45+00:00" "Tove Lind" tove@example.org "levels 2 and 3, touch input"
git add test scripts CHANGELOG.md .env.example
c "2024-03-18T19:30:00+00:00" "Mika Brandt" mika@example.org "release 0.4.1"
git tag v0.4.1
git branch gamepad
