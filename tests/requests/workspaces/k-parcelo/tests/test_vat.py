import unittest
from decimal import Decimal

from scripts.vat import gross, rate


class Vat(unittest.TestCase):
    def test_gross(self):
        self.assertEqual(gross(100, 21), Decimal("121.00"))

    def test_denmark(self):
        self.assertEqual(rate("DK"), 25)

    def test_norway(self):
        self.assertEqual(rate("NO"), 25)
