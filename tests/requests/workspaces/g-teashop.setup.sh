set -e
git init -q -b main
git config user.name "Ines Brandt"
git config user.email "ines@leafandkettle.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
I="Ines Brandt <ines@leafandkettle.example>"
K="Kofi Adjei <kofi@leafandkettle.example>"
S="Solveig Dahl <solveig@leafandkettle.example>"
cp src/styles/main.css /tmp/g-teashop-css.$$
sed -i 's/font-size: 16px/font-size: 15px/' src/styles/main.css
git add package.json README.md .gitignore public src/format.js src/api.js
c "2026-02-16T09:12:00+00:00" "$I" "Skeleton of the shop"
git add src/styles src/components
c "2026-03-02T14:40:00+00:00" "$K" "Header, product card and colours"
git add src/cart.js data
c "2026-05-11T10:05:00+00:00" "$I" "Cart with shipping costs"
git tag v2.3.0
git add i18n tools
c "2026-08-03T16:20:00+00:00" "$S" "German translation and a check for missing keys"
git tag v2.4.0
git add config .env.example
c "2026-09-14T08:31:00+00:00" "$I" "Put nginx config under version control"
git add CHANGELOG.md logs
c "2026-09-18T11:55:00+00:00" "$I" "Release 2.4.1"
git tag v2.4.1
git branch feature/reviews
git branch hotfix/voucher
cp /tmp/g-teashop-css.$$ src/styles/main.css
rm /tmp/g-teashop-css.$$
