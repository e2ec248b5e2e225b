"""Filament spools and what prints cost."""

__version__ = "0.5.0"
