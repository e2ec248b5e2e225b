"""Firing schedules for small electric kilns."""

__version__ = "0.8.2"
