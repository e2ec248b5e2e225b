import unittest
from datetime import date

from scripts.prune import expired, newest


class Prune(unittest.TestCase):
    def test_old_ones_go(self):
        days = [date(2026, 10, 1), date(2026, 11, 18)]
        self.assertEqual(expired(days, date(2026, 11, 19)), [date(2026, 10, 1)])

    def test_newest(self):
        self.assertEqual(newest([date(2026, 1, 2), date(2026, 1, 9)]), date(2026, 1, 9))
