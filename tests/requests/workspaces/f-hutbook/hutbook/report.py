"""Prints the report of a season."""

from hutbook import VERSION
from hutbook.prices import calc_total


def header():
    return f"hutbook {VERSION}"


def month_totals(bookings):
    out = {}
    for b in bookings:
        key = b.arrival.strftime("%Y-%m")
        # TODO: refunds
        out[key] = out.get(key, 0) + calc_total(b.ages, b.nights)
    return out


if __name__ == "__main__":
    print(header())
