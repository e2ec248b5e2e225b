import unittest

from shop.pricing import bulk_discount, net_to_gross, shipping_cost


class PricingTest(unittest.TestCase):
    def test_vat(self):
        self.assertEqual(net_to_gross(100), 121.0)

    def test_two_pieces_no_discount(self):
        self.assertEqual(bulk_discount(2), 0.0)

    def test_three_pieces_discount(self):
        self.assertEqual(bulk_discount(3), 0.05)

    def test_ten_pieces_discount(self):
        self.assertEqual(bulk_discount(10), 0.10)

    def test_free_shipping(self):
        self.assertEqual(shipping_cost(75.0), 0.0)
        self.assertEqual(shipping_cost(74.99), 6.95)


if __name__ == "__main__":
    unittest.main()
