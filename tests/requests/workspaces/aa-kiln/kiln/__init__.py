"""Firing schedules for small electric kilns."""

__version__ = "0.4.2"
