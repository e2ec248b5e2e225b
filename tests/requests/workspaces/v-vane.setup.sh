set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git init -q
git symbolic-ref HEAD refs/heads/main

keep=.git/keep
mkdir -p $keep
cp firmware/config.h $keep/config.h
cp firmware/wind.c $keep/wind.c
cp firmware/wind.h $keep/wind.h
cp logger/convert.py $keep/convert.py
cp CHANGELOG.md $keep/CHANGELOG.md

# who mail date message
c() {
  GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_AUTHOR_DATE="$3" \
  GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_COMMITTER_DATE="$3" \
  git commit -q -m "$4"
}
elias() { c "Elias Brenner" "elias@vane.example" "$1" "$2"; }
noor()  { c "Noor Haddad" "noor@vane.example" "$1" "$2"; }
juno()  { c "Juno Park" "juno@vane.example" "$1" "$2"; }

# 1 first firmware, without gusts
sed -e 's/"0.4.1"/"0.2.0"/' -e 's/19200/9600/' -e '/GUST_WINDOW_S/d' $keep/config.h > firmware/config.h
sed -e '/^float wind_gust/,/^}/d' -e '/gust/d' $keep/wind.c > firmware/wind.c
sed -e '/wind_gust/d' $keep/wind.h > firmware/wind.h
git add README.md firmware .gitignore
elias "2025-05-04T10:12:00+0200" "first firmware"

# 2 logger
sed -e 's/+ 30, 1/+ 32, 1/' $keep/convert.py > logger/convert.py
git add logger deploy
juno "2025-05-11T19:40:00+0200" "daily CSV logger and systemd unit"

# 3 tests
git add tests
noor "2025-06-02T21:05:00+0200" "tests for the conversions"

# 4 gusts
cp $keep/wind.c firmware/wind.c
cp $keep/wind.h firmware/wind.h
sed -e 's/"0.4.1"/"0.4.0"/' -e 's/19200/9600/' $keep/config.h > firmware/config.h
git add firmware
elias "2025-07-19T16:30:00+0200" "gust detection over 3 seconds"
git tag v0.4.0

# 5 calibration
git add docs
noor "2025-08-14T08:20:00+0200" "calibration notes"

# 6 rain fix
sed -e 's/19200/9600/' $keep/config.h > firmware/config.h
sed -e '/^## Unreleased/,/^$/d' $keep/CHANGELOG.md > CHANGELOG.md
git add firmware CHANGELOG.md
elias "2025-08-30T11:02:00+0200" "fix rain counter overflow"
git tag v0.4.1

# a branch of its own
git checkout -q -b hail-sensor
sed -e 's/19200/9600/' -e '/^#define RAIN_MM_PER_TIP/a\
\
/* hail */\
#define HAIL_PIN          4' $keep/config.h > firmware/config.h
git add firmware
noor "2025-09-07T14:55:00+0200" "hail sensor, first try"
git checkout -q main

# 7 tidy
cp $keep/convert.py logger/convert.py
cp $keep/CHANGELOG.md CHANGELOG.md
git add logger CHANGELOG.md
juno "2025-09-21T20:15:00+0200" "tidy convert"

# 8 data
git add data logs TODO.txt
noor "2025-10-05T09:33:00+0200" "data of the storm day"

# what lies in the working tree, not committed
cp $keep/config.h firmware/config.h
rm -rf $keep
