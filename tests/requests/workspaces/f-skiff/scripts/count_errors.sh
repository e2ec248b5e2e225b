#!/bin/sh
grep -c ERROR "${1:-logs/app.log}"
