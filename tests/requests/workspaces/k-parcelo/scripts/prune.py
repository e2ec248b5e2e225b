"""Decides which backups are old enough to be deleted."""

from datetime import date, timedelta

KEEP_DAYS = 35


def expired(days, today, keep=KEEP_DAYS):
    """The days that are older than we keep."""
    limit = today - timedelta(days=keep)
    return [d for d in days if d < limit]


def newest(days):
    # TODO: what if there is none
    return max(days)
