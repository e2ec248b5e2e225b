"""Readable slugs out of any title."""

from slugline.core import slugify

__version__ = "3.1.0"
__all__ = ["slugify"]
