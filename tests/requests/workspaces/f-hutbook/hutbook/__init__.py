"""Reservations for a mountain hut."""

VERSION = "0.8.2"
