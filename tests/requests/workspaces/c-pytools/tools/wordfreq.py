"""Count the words in a text file."""
import sys
from collections import Counter

from lib.textutil import clean_words


def count_words(path):
    with open(path, encoding="utf-8") as f:
        return Counter(clean_words(f.read()))


def main():
    path = sys.argv[1]
    for word, n in count_words(path).most_common(10):
        print(f"{n:5d}  {word}")


if __name__ == "__main__":
    main()
