"""Read crumb files: one entry per line, `YYYY-MM-DD HH:MM-HH:MM project | note`."""

import re

LINE = re.compile(r"^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})-(\d{2}:\d{2}) (\S+)(?: \| (.*))?$")
MAX_NOTE = 80


class CrumbError(ValueError):
    """A line that is not an entry."""


def to_minutes(clock):
    hours, minutes = clock.split(":")
    if int(hours) > 23 or int(minutes) > 59:
        raise CrumbError(f"no such time: {clock}")
    return int(hours) * 60 + int(minutes)


def span(start, end):
    minutes = to_minutes(end) - to_minutes(start)
    if minutes < 0:  # past midnight
        minutes += 24 * 60
    return minutes


def parse_line(text, number=0):
    found = LINE.match(text.strip())
    if not found:
        raise CrumbError(f"line {number}: cannot read {text!r}")
    day, start, end, project, note = found.groups()
    return {
        "day": day,
        "project": project,
        "minutes": span(start, end),
        "note": (note or "")[:MAX_NOTE],
    }


def parse_file(path):
    entries = []
    with open(path, encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            if text.strip() and not text.startswith("#"):
                entries.append(parse_line(text, number))
    return entries
