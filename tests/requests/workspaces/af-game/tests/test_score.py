import unittest

from lanternmoth.score import combo_bonus, level_score


class ScoreTest(unittest.TestCase):
    def test_no_combo(self):
        self.assertEqual(combo_bonus(4), 0)

    def test_level_score(self):
        self.assertEqual(level_score(10, 30), 330)
