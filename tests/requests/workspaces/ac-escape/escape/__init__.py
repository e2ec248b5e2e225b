"""Locked & Late: booking desk and game clock."""
