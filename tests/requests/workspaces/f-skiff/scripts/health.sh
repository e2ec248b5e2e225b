#!/bin/sh
# checks that the shop answers
URL=https://shop.skiff.example/health
curl -fsS --max-time 5 "$URL" || echo "shop is down"
