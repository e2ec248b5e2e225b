import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from escape.board import board_line
from escape.clock import fmt_left, seconds_left, should_beep


class ClockTest(unittest.TestCase):
    def test_full_hour(self):
        self.assertEqual(seconds_left(0), 3600)

    def test_never_negative(self):
        self.assertEqual(seconds_left(4000), 0)

    def test_format(self):
        self.assertEqual(fmt_left(754), "12:34")

    def test_beep(self):
        self.assertTrue(should_beep(300))

    def test_board(self):
        self.assertEqual(board_line("The Crypt", 3600), "The Crypt  TIME UP")
        self.assertEqual(board_line("The Crypt", 60), "The Crypt  59:00")


if __name__ == "__main__":
    unittest.main()
