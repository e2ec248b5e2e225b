import unittest
from datetime import date

from lib.dates import days_between, is_leap, next_weekday, quarter


class DatesTest(unittest.TestCase):
    def test_days_between(self):
        self.assertEqual(days_between(date(2024, 1, 1), date(2024, 1, 31)), 30)

    def test_next_weekday(self):
        self.assertEqual(next_weekday(date(2024, 5, 6), 0), date(2024, 5, 13))

    def test_quarter(self):
        self.assertEqual(quarter(date(2024, 8, 15)), 3)

    def test_leap_century(self):
        self.assertTrue(is_leap(2000))


if __name__ == "__main__":
    unittest.main()
