"""crumb: adds up lines of work."""

__version__ = "0.4.0"
