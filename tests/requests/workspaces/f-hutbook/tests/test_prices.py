import unittest

from hutbook.prices import calc_total, night_price


class Prices(unittest.TestCase):
    def test_adult(self):
        self.assertEqual(night_price(40), 38.0)

    def test_child(self):
        self.assertEqual(night_price(14), 19.0)

    def test_small_child_is_free(self):
        self.assertEqual(night_price(5), 0.0)

    def test_group(self):
        self.assertEqual(calc_total([30] * 10, 1), 334.4)
