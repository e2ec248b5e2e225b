"""Build the text of a page; the pagers show 40 characters at most."""

MAX_LEN = 40
KINDS = {
    "fire": "FIRE",
    "traffic": "TRAFFIC",
    "storm": "STORM",
    "rescue": "RESCUE",
}


def shorten(text, limit=MAX_LEN):
    if len(text) <= limit:
        return text
    return text[: limit - 2] + ".."


def page_text(kind, place):
    word = KINDS.get(kind, "CALL")
    return shorten(word + " " + place)


def confirm_ratio(confirmed, paged):
    return confirmed / paged
