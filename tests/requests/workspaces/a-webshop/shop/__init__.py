"""maple-cart: a small stationery shop."""

__version__ = "0.8.1"
