import unittest
from datetime import date

from plantlog.schedule import interval, is_due, thirst

FERN = {"name": "Fern", "every_days": 4}


class ScheduleTest(unittest.TestCase):
    def test_interval_summer(self):
        self.assertEqual(interval(FERN, date(2026, 6, 1)), 4)

    def test_interval_winter(self):
        self.assertEqual(interval(FERN, date(2026, 12, 1)), 6)

    def test_due_on_the_day(self):
        self.assertTrue(is_due(FERN, date(2026, 6, 1), date(2026, 6, 5)))

    def test_not_due_before(self):
        self.assertFalse(is_due(FERN, date(2026, 6, 1), date(2026, 6, 4)))

    def test_thirst(self):
        self.assertEqual(thirst(FERN, date(2026, 6, 1), date(2026, 6, 8)), 3)
