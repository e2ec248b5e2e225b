#!/bin/sh
# keeps one old log
mv logs/api.log logs/api.log.1
: > logs/api.log
