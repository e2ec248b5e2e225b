set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git init -q
git symbolic-ref HEAD refs/heads/main
git config user.name "Noor Hendriks"
git config user.email noor@dogear.example
as() {
  export GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2"
  export GIT_AUTHOR_DATE="$3" GIT_COMMITTER_DATE="$3"
}
cp web/pricing.py .git/pricing.keep
cp settings/shop.ini .git/shop.keep

as "Noor Hendriks" noor@dogear.example "2026-09-01T10:00:00+0200"
git add README.md stock notes "costs/costs 2026.csv"
git commit -q -m "Tables and notes"

as "Bram Postma" bram@dogear.example "2026-09-14T20:15:00+0200"
sed -e 's/^BULK_PERCENT = 10/BULK_PERCENT = 5/' -e 's/factor=2.5/factor=2.2/' .git/pricing.keep > web/pricing.py
git add web/pricing.py web/test_pricing.py
git commit -q -m "Prices for the site"
git tag v1.2

as "Noor Hendriks" noor@dogear.example "2026-10-02T09:30:00+0200"
sed 's/factor=2.5/factor=2.2/' .git/pricing.keep > web/pricing.py
git add web/pricing.py
git commit -q -m "Ten percent off from three books"

as "Bram Postma" bram@dogear.example "2026-10-20T21:40:00+0200"
git add web/labels.py web/pack.py scripts
git commit -q -m "Label printing and backup"

as "Bram Postma" bram@dogear.example "2026-11-03T19:05:00+0100"
cp .git/pricing.keep web/pricing.py
git add web/pricing.py
git commit -q -m "Raise the markup factor"
git tag v1.3

as "Noor Hendriks" noor@dogear.example "2026-11-16T11:20:00+0100"
sed -e 's/^vacation = off/vacation = on/' -e 's/^reserve_days = 10/reserve_days = 7/' .git/shop.keep > settings/shop.ini
git add orders settings
git commit -q -m "Settings and orders"
git branch gift-cards

cp .git/shop.keep settings/shop.ini
rm .git/pricing.keep .git/shop.keep
