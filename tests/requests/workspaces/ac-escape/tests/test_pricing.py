import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from escape.pricing import deposit, game_price


class PricingTest(unittest.TestCase):
    def test_weekday_price(self):
        self.assertEqual(game_price(4, "Tue"), 96)

    def test_saturday_price(self):
        self.assertEqual(game_price(4, "Sat"), 110.4)

    def test_sunday_price(self):
        self.assertEqual(game_price(4, "Sun"), 110.4)

    def test_too_many_players(self):
        with self.assertRaises(ValueError):
            game_price(7, "Tue")

    def test_deposit(self):
        self.assertEqual(deposit(96), 19.2)


if __name__ == "__main__":
    unittest.main()
