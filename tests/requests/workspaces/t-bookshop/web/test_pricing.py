import unittest

import pricing


class PricingTest(unittest.TestCase):
    def test_asking_price_rounds_to_quarters(self):
        self.assertEqual(pricing.asking_price(1.30), 3.25)

    def test_two_books_no_discount(self):
        self.assertEqual(pricing.order_total([5.0, 7.0]), 12.0)

    def test_three_books_ten_percent(self):
        self.assertEqual(pricing.order_total([5.0, 7.0, 8.0]), 18.0)

    def test_free_shipping(self):
        self.assertEqual(pricing.shipping(60.0, "NL"), 0.0)


if __name__ == "__main__":
    unittest.main()
