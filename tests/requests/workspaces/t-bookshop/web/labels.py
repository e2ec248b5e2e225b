"""Address labels for parcels."""

WIDTH = 36


def fit(text):
    return text[:WIDTH]


def mk_lbl(name, street, town):
    lines = [fit(name), fit(street), fit(town.upper())]
    return "\n".join(lines)


def mk_return_lbl():
    # FIXME: we moved, this is the old street
    return mk_lbl("Dogear Books", "Walstraat 8", "7411 GM Deventer")
