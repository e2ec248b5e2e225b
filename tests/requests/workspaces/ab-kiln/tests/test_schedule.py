import unittest

from kilnplan.schedule import HOLD_LIMIT, hold, ramp, ramp_time, schedule


class ScheduleTest(unittest.TestCase):
    def test_minutes(self):
        self.assertEqual(ramp_time(20, 95, 60), 75)

    def test_line(self):
        self.assertEqual(ramp(100, 200, 50)["minutes"], 120)

    def test_rate_limit(self):
        with self.assertRaises(ValueError):
            ramp(20, 100, 301)

    def test_hold_limit(self):
        with self.assertRaises(ValueError):
            hold(1000, HOLD_LIMIT + 1)

    def test_three_lines(self):
        self.assertEqual(len(schedule("06", 120, 10)), 3)


if __name__ == "__main__":
    unittest.main()
