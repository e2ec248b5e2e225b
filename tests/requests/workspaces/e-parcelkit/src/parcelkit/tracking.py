"""Tracking codes: PK, nine digits and a check digit."""

PREFIX = "PK"


def check_digit(digits):
    """Weighted sum modulo ten."""
    total = sum(int(d) * (3 if i % 2 == 0 else 1) for i, d in enumerate(digits))
    return (10 - total % 10) % 10


def make_code(number):
    digits = f"{number:09d}"
    return f"{PREFIX}{digits}{check_digit(digits)}"


def is_valid(code):
    """Whether a code is well formed."""
    if not code.startswith(PREFIX) or len(code) != 12:
        return False
    body = code[2:]
    # FIXME: lower case prefixes are refused
    return body.isdigit() and check_digit(body[:9]) == int(body[9])
