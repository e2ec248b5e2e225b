#!/bin/sh
# says how many routes there are
n=$(cat src/views/*.py | grep -c '^@bp')
echo "routes: $n"
