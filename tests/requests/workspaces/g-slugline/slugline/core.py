"""The one function that matters."""

import re

from slugline.tables import FOLD

DEFAULT_SEP = "-"
MAX_LENGTH = 80


def fold(text):
    """Letters without their accents."""
    return "".join(FOLD.get(ch, ch) for ch in text)


def slugify(text, sep=DEFAULT_SEP, limit=MAX_LENGTH):
    text = fold(text.lower())
    words = re.findall(r"[a-z0-9]+", text)
    return shorten(sep.join(words), limit, sep)


def shorten(slug, limit, sep):
    # TODO: cut between words
    if len(slug) <= limit:
        return slug
    return slug[:limit].rstrip(sep)
