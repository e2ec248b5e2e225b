#!/bin/sh
echo "attic says hello, $(( 6 * 7 )) checks passed"
