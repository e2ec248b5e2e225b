import re
from datetime import datetime


def slugify(text):
    text = re.sub(r"[^a-z0-9]+", "-", text.lower())
    return text.strip("-")


def money(value):
    return f"${value:,.2f}"


def parse_date(value):
    # TODO: accept day-first dates too
    return datetime.strptime(value, "%Y-%m-%d").date()


def old_hash(value):
    # unused since 0.7
    return sum(ord(c) for c in value) % 9973
