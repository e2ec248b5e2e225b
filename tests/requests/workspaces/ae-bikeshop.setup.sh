#!/bin/bash
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q
git symbolic-ref HEAD refs/heads/main
git config user.name "Bram Hoekstra"
git config user.email "bram@example.com"
as() { export GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_AUTHOR_DATE="$3" GIT_COMMITTER_DATE="$3"; }
keep=$(mktemp -d)
cp notes/todo.md "$keep/todo.md"
as "Bram Hoekstra" bram@example.com "2025-03-03T19:10:00+01:00"
git add README.md .gitignore shop/__init__.py shop/pricing.py tests/__init__.py tests/test_pricing.py
git commit -q -m "Start of the shop: prices"
as "Bram Hoekstra" bram@example.com "2025-03-17T20:42:00+01:00"
git add shop/cart.py tests/test_cart.py config/shop.toml
git commit -q -m "Cart with discount and shipping"
as "Ilse Vandamme" ilse@example.com "2025-04-09T11:25:00+02:00"
git add shop/stock.py tests/test_stock.py data/products.csv
git commit -q -m "Read stock list, warn when low"
as "Bram Hoekstra" bram@example.com "2025-05-10T18:30:00+02:00"
grep -v "ask Ilse" "$keep/todo.md" > notes/todo.md
git add data/repairs.csv logs/web.log notes/todo.md
git commit -q -m "Workshop jobs, todo and log"
cp "$keep/todo.md" notes/todo.md
rm -rf "$keep"
