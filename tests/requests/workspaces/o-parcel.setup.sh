set -e
export GIT_COMMITTER_NAME="Marta Quint" GIT_COMMITTER_EMAIL=marta@parcel.example
git init -q .
git config commit.gpgsign false
git add README.md pyproject.toml src
GIT_COMMITTER_DATE="2024-03-18T09:30:00+0000" git commit -q -m "first import" --author "Marta Quint <marta@parcel.example>" --date "2024-03-18T09:30:00+0000"
git add -A
export GIT_COMMITTER_NAME="Jonas Pohl" GIT_COMMITTER_EMAIL=jonas@parcel.example
GIT_COMMITTER_DATE="2024-06-10T16:05:00+0000" git commit -q -m "config, data and rounding fix" --author "Jonas Pohl <jonas@parcel.example>" --date "2024-06-10T16:05:00+0000"
