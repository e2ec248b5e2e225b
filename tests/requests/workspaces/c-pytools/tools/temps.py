"""Convert temperatures."""
import sys


def c_to_f(c):
    return c * 9 / 5 + 32


def f_to_c(f):
    return (f - 32) * 5 / 9


if __name__ == "__main__":
    value = float(sys.argv[1])
    print(f"{value:g} C is {c_to_f(value):g} F")
