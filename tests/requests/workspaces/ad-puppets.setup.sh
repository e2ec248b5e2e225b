#!/usr/bin/env bash
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q
git config user.name "Kasia Wolny"
git config user.email "kasia@bluecurtain.example"
c() { # name mail date message
  GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3" \
  GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3" git commit -q -m "$4"
}
git add README.md puppets.csv todo.md workshop.txt crew.json
c "Oda Brandt" oda@bluecurtain.example "2025-03-02T10:00:00+00:00" "Start the folder"
git add tickets.csv tour.md
c "Kasia Wolny" kasia@bluecurtain.example "2025-04-07T09:30:00+00:00" "Add ticket table and tour"
cp box_office/pricing.py .git/keep-pricing
sed -i 's/^FAMILY = 25.00/FAMILY = 24.00/' box_office/pricing.py
git add box_office
c "Bertie Knox" bertie@bluecurtain.example "2025-05-19T18:45:00+00:00" "Add pricing script with tests"
cat .git/keep-pricing > box_office/pricing.py
rm -f .git/keep-pricing
git add lights.ini
c "Sunniva Dahl" sunniva@bluecurtain.example "2025-06-11T20:10:00+00:00" "Add light desk settings"
git add box_office
c "Piet Maas" piet@bluecurtain.example "2025-06-23T08:05:00+00:00" "Raise family ticket to 25 pounds"
