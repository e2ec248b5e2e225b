import unittest

from harborline.fares import fare_for, fare_for_group, round_fare


class Fares(unittest.TestCase):
    def test_adult(self):
        self.assertEqual(fare_for("adult"), 450)

    def test_bike(self):
        self.assertEqual(fare_for("bike"), 250)

    def test_group_of_four(self):
        self.assertEqual(fare_for_group(4), 1800)

    def test_rounding_up(self):
        self.assertEqual(round_fare(268), 270)

    def test_rounding_down(self):
        self.assertEqual(round_fare(271), 270)


if __name__ == "__main__":
    unittest.main()
