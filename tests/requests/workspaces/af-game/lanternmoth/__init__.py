"""Lantern Moth."""

__version__ = "0.4.2"
