import unittest

from tidebus.schedule import clock, is_peak, next_departure


class Schedule(unittest.TestCase):
    def test_next(self):
        self.assertEqual(next_departure([390, 455], 400), 455)

    def test_last_boat(self):
        self.assertEqual(next_departure([390, 455], 455), 455)

    def test_none_left(self):
        self.assertIsNone(next_departure([390], 400))

    def test_peak(self):
        self.assertTrue(is_peak(480))

    def test_clock(self):
        self.assertEqual(clock(455), "07:35")
