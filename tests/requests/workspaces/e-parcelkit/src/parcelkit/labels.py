"""Labels as plain text."""

from parcelkit.tracking import make_code

WIDTH = 40


class Label:
    def __init__(self, name, street, city, number):
        self.name = name
        self.street = street
        self.city = city
        self.code = make_code(number)

    def lines(self):
        return [self.name, self.street, self.city.upper(), self.code]


def render(label):
    """A frame around the lines."""
    bar = "+" + "-" * (WIDTH - 2) + "+"
    rows = ["| " + line.ljust(WIDTH - 4) + " |" for line in label.lines()]
    # TODO: add a bar code
    return "\n".join([bar, *rows, bar])
