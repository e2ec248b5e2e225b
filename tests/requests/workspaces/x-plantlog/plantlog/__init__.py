"""plantlog: when were the plants watered?"""

__version__ = "0.2.0"
