set -e
git init -q -b main
git config user.name "Ondrej Maly"
git config user.email "ondrej@ringbuf.example"
c() { d="$1"; shift; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q -m "$*"; }
git add .gitignore VERSION Makefile include/ringbuf.h src/ringbuf.c
c "2025-10-12T18:04:00+02:00" "first version of the ring buffer"
git tag v0.1.0
git add include/parse.h src/parse.c src/main.c
c "2025-11-05T20:31:00+01:00" "add parse_int and the demo"
git tag v0.2.0
git add include/stats.h src/stats.c tests
c "2026-01-20T09:12:00+01:00" "stats: mean and max"
git add bench tools
c "2026-01-21T16:45:00+01:00" "benchmarks of gcc and clang"
git add README.md CHANGELOG.md
c "2026-01-22T10:00:00+01:00" "release 0.3.0"
git tag v0.3.0
