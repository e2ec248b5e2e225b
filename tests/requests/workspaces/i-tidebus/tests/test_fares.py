import unittest

from tidebus.fares import fare, group_fare


class Fares(unittest.TestCase):
    def test_child(self):
        self.assertEqual(fare(12), 3.0)

    def test_senior(self):
        self.assertAlmostEqual(fare(70), 5.2)

    def test_group(self):
        self.assertEqual(group_fare([30, 31, 8]), 16.0)
