import unittest

from kiln.schedule import Segment, calc_cost, peak, total_minutes


class ScheduleTests(unittest.TestCase):
    def test_one_segment(self):
        self.assertEqual(total_minutes([Segment(100, 120)]), 60)

    def test_hold_counts(self):
        self.assertEqual(total_minutes([Segment(100, 120, hold=15)]), 75)

    def test_peak(self):
        self.assertEqual(peak([Segment(100, 600), Segment(150, 1063)]), 1063)

    def test_cost(self):
        self.assertEqual(calc_cost(38, 0.31), 11.78)


if __name__ == "__main__":
    unittest.main()
