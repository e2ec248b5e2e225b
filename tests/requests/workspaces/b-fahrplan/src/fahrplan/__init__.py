"""Small timetable tools."""

__version__ = "1.4.1"
