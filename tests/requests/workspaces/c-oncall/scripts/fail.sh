#!/bin/sh
echo "checking certificate"
echo "certificate expired 12 days ago" >&2
exit 3
