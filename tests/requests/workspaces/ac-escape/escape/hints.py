"""Hints: the first ones are free, the others cost time."""


def hint_penalty(asked, free_hints=3, penalty_seconds=90):
    """Seconds a team loses for the hints it asked for."""
    extra = max(0, asked - free_hints)
    return extra * penalty_seconds


def hints_text(asked, free_hints=3):
    left = free_hints - asked
    if left > 0:
        return "%d free hints left" % left
    return "no free hints left"
