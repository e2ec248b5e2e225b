"""Flags readings far from the mean of their point."""
import sys

from summary import mean, read_values

LIMIT = 0.25


def flagged(values, limit=LIMIT):
    found = []
    for point, numbers in sorted(values.items()):
        middle = mean(numbers)
        for number in numbers:
            if abs(number - middle) > limit:
                found.append((point, number))
    return found


if __name__ == "__main__":
    # TODO: take the limit from config.yaml
    for point, number in flagged(read_values(sys.argv[1])):
        print(point, number)
