import unittest

from slugline.cli import main


class Cli(unittest.TestCase):
    def test_returns_zero(self):
        self.assertEqual(main(["A", "title"]), 0)
