set -e
git init -q -b main
git config user.name "Devon Clarke"
git config user.email "devon@maplecart.example"
c() { # date author message
  GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1" git commit -q --author="$2" -m "$3"
}
git add pyproject.toml README.md .gitignore shop/__init__.py shop/utils.py shop/config.py config
c "2025-11-28T10:00:00-0800" "Devon Clarke <devon@maplecart.example>" "Initial import"
git add shop/app.py shop/cart.py templates
git show :shop/cart.py | sed 's/^MAX_QTY = 99$/MAX_QTY = 50/' > .tmp_cart
h=$(git hash-object -w .tmp_cart); rm .tmp_cart
git update-index --cacheinfo 100644,$h,shop/cart.py
c "2025-11-30T15:20:00-0800" "Devon Clarke <devon@maplecart.example>" "Add cart and index page"
git add shop/pricing.py tests/__init__.py tests/test_cart.py tests/test_pricing.py
c "2026-01-19T09:05:00-0800" "Priya Nair <priya@maplecart.example>" "Pricing: GST, coupons, free shipping"
git tag v0.8.0
git add shop/api tests/test_utils.py scripts Makefile
c "2026-02-02T17:45:00-0800" "Priya Nair <priya@maplecart.example>" "Order API and seed script"
git add CHANGELOG.md requirements.txt
c "2026-03-11T11:30:00-0700" "Devon Clarke <devon@maplecart.example>" "Release 0.8.2"
git branch feature/pagination
git branch hotfix-gst
