#!/bin/sh
# small sanity check, run from the top of the folder: sh deploy/check-config.sh
ok=0
bad=0

check() {
    if grep -q -- "$2" "$3"; then
        ok=$((ok + 1))
    else
        bad=$((bad + 1))
        echo "FAILED: $1"
    fi
}

check "production is not in debug" "^log_level: warn" config/app.production.yaml
check "database backup kept 30 days" "^keep_days = 30" config/backup.ini
check "service port in nginx" "10.20.0.31:8471" nginx/shop.conf
check "rollback knows app2" "app2" deploy/rollback.sh
check "certificate path" "fullchain.pem" nginx/shop.conf

echo "$ok ok, $bad failed"
[ "$bad" -eq 0 ]
