"""Harbor Line fares and timetables."""

__version__ = "1.3.2"
