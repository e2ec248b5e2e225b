import unittest

from parcelkit.rates import TooHeavy, base_price, insurance_fee, quote


class RatesTest(unittest.TestCase):
    def test_base_price(self):
        self.assertAlmostEqual(base_price(2, "EU"), 9.9)

    def test_quote_home(self):
        self.assertEqual(quote(1, "HOME"), 4.66)

    def test_free_shipping(self):
        self.assertEqual(quote(1, "HOME", order_total=80), 0.0)

    def test_too_heavy(self):
        with self.assertRaises(TooHeavy):
            base_price(31, "EU")

    def test_insurance_minimum(self):
        self.assertEqual(insurance_fee(100), 1.5)
