import unittest

from crumb.report import hours, render, totals

ENTRIES = [
    {"project": "docs", "minutes": 30},
    {"project": "website", "minutes": 100},
    {"project": "docs", "minutes": 45},
]


class ReportTest(unittest.TestCase):
    def test_totals_biggest_first(self):
        self.assertEqual(totals(ENTRIES), [("website", 100), ("docs", 75)])

    def test_hours_pads_minutes(self):
        self.assertEqual(hours(65), "1:05")

    def test_hours_long_day(self):
        self.assertEqual(hours(690), "11:30")

    def test_render_top(self):
        self.assertEqual(len(render(ENTRIES, top=1).splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
