set -e
git init -q -b main
git config user.name "Radka Novotna"
git config user.email "radka@soilprobe.example"
c() { d="$1"; a="$2"; shift 2; GIT_AUTHOR_DATE="$d" GIT_COMMITTER_DATE="$d" git commit -q --author="$a" -m "$*"; }
R="Radka Novotna <radka@soilprobe.example>"
E="Emil Sand <emil@soilprobe.example>"
git add README.md .gitignore platformio.ini include build-old
c "2025-11-03T08:00:00+00:00" "$E" "Board files for revision 2"
git add src/main.c src/sensor.c
c "2025-12-12T18:22:00+00:00" "$R" "Read the probe and sleep"
git add src/radio.c lib
c "2026-01-20T07:45:00+00:00" "$R" "Send frames with a CRC"
git add data docs
c "2026-03-11T15:30:00+00:00" "$E" "Calibration of eight probes"
git add tools test
c "2026-04-02T09:10:00+00:00" "$R" "Host test for the checksum"
git tag fw-1.7.1
git add src/battery.c ISSUES.md
c "2026-04-10T20:04:00+00:00" "$R" "Longer watchdog"
git tag fw-1.7.2
git branch lorawan
git checkout -q -b battery-saver
