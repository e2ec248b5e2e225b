"""Shipping prices, tracking codes and labels."""

__version__ = "2.3.0"
