# reads the printed timetable of 2023, not used any more
import sys

for line in sys.stdin:
    print(line.strip())
