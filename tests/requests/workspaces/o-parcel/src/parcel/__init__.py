"""Rates and tracking."""

__version__ = "1.4.2"
