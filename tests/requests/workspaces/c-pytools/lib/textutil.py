import re

STOPWORDS = {"the", "a", "and", "of", "to", "in"}


def clean_words(text):
    words = re.findall(r"[a-z']+", text.lower())
    return [w for w in words if w not in STOPWORDS]


def shorten(text, limit=40):
    if len(text) <= limit:
        return text
    return text[: limit - 3] + "..."


def slugify(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
