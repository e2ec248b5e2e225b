set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
keep=$(mktemp -d)
cp -R . "$keep/all"
git init -q
git symbolic-ref HEAD refs/heads/main

commit() {
    # who, mail, date, message
    git add -A
    GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3" \
    GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3" \
        git commit -q -m "$4"
}
tove() { commit "Tove Lindahl" "tove@harbourgoods.example" "$1" "$2"; }
marius() { commit "Marius Holt" "marius@harbourgoods.example" "$1" "$2"; }
edit() {
    # sed expression, file
    sed "$1" "$2" > "$keep/edited"
    cat "$keep/edited" > "$2"
}

edit 's/HEAVY_FEE = 12.5/HEAVY_FEE = 11/; s/FREE_FROM = 75/FREE_FROM = 60/' service/src/quote.ts
edit 's/statement_timeout_ms: 8000/statement_timeout_ms: 5000/' config/app.production.yaml
edit 's/2026-02-20/2025-11-22/' "runbooks/certificate renewal.md"
edit '/blocked by hand/d; /deny 203/d' nginx/shop.conf
edit 's/pool_size: 50/pool_size: 10/' config/app.staging.yaml
edit '/^## 2026-03-17/,$d' "on-call diary.md"
tove "2026-01-12T08:00:00+0000" "Import the operations folder"

edit 's/HEAVY_FEE = 11/HEAVY_FEE = 12.5/' service/src/quote.ts
marius "2026-02-03T13:20:00+0000" "Raise the heavy fee to 12.50"

cat "$keep/all/runbooks/certificate renewal.md" > "runbooks/certificate renewal.md"
tove "2026-02-20T09:05:00+0000" "Certificate renewed"

edit 's/FREE_FROM = 60/FREE_FROM = 75/' service/src/quote.ts
tove "2026-03-05T06:40:00+0000" "Free shipping starts later"

edit 's/statement_timeout_ms: 5000/statement_timeout_ms: 8000/' config/app.production.yaml
tove "2026-03-10T07:00:00+0000" "Longer statement timeout in production"

cat "$keep/all/nginx/shop.conf" > nginx/shop.conf
cat "$keep/all/on-call diary.md" > "on-call diary.md"
tove "2026-03-17T12:50:00+0000" "Block the scanner, diary"

git branch carrier-labels

# not committed
cat "$keep/all/config/app.staging.yaml" > config/app.staging.yaml
rm -rf "$keep"
