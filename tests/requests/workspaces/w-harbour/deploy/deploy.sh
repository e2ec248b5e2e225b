#!/bin/sh
# deploy one version to all app hosts: deploy.sh 2.8.1
set -eu

VERSION="$1"
HOSTS="app1 app2"
RELEASES=/srv/harbour/releases
KEEP=5

for host in $HOSTS; do
    echo "deploying $VERSION to $host"
    scp "build/shop-$VERSION.tar.gz" "$host:/tmp/"
    ssh "$host" "mkdir -p $RELEASES/$VERSION && tar xzf /tmp/shop-$VERSION.tar.gz -C $RELEASES/$VERSION"
    ssh "$host" "ln -sfn $RELEASES/$VERSION /srv/harbour/current && systemctl restart harbour-shop"
    sleep 10
done

echo "deployed $VERSION, keeping the last $KEEP releases"
