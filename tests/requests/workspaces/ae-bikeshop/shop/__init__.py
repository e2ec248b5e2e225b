"""Spoke & Chain web shop."""

__version__ = "0.3.2"
