import re
from datetime import datetime


def slugify(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def fmt_time(ts):
    # TODO: respect the user's timezone
    return datetime.fromtimestamp(ts).strftime("%H:%M")


def old_gauge(value):
    return "|" * value
