#!/bin/sh
# count the errors in the api log
grep -c ' ERROR ' logs/api.log
