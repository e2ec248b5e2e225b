#!/bin/sh
# back to a release that is still on the hosts: rollback.sh 2.8.0
set -eu

VERSION="$1"
HOSTS="app1"
RELEASES=/srv/harbour/releases

for host in $HOSTS; do
    ssh "$host" "ln -sfn $RELEASES/$VERSION /srv/harbour/current && systemctl restart harbour-shop"
done
