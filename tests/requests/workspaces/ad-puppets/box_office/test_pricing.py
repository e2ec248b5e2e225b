import unittest

import pricing


class PricingTest(unittest.TestCase):
    def test_nobody_is_free(self):
        self.assertEqual(pricing.total(0, 0), 0)

    def test_one_adult(self):
        self.assertEqual(pricing.total(1, 0), pricing.ADULT)

    def test_child_is_cheaper(self):
        self.assertLess(pricing.CHILD, pricing.ADULT)

    def test_group_saves(self):
        self.assertLess(pricing.total(5, 5), 5 * pricing.ADULT + 5 * pricing.CHILD)

    def test_family_beats_singles(self):
        self.assertLess(pricing.family(), 2 * pricing.ADULT + 3 * pricing.CHILD)
