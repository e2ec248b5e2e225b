#!/bin/sh
# lines of C in the project
cat src/*.c include/*.h | wc -l
