import unittest

from shop.pricing import apply_coupon, grand_total, gst, shipping


class PricingTest(unittest.TestCase):
    def test_gst(self):
        self.assertEqual(gst(100), 5.0)

    def test_coupon_case(self):
        self.assertEqual(apply_coupon(50, "welcome10"), 45.0)

    def test_unknown_coupon(self):
        self.assertEqual(apply_coupon(50, "NOPE"), 50)

    def test_free_shipping_at_limit(self):
        self.assertEqual(shipping(75.0), 0.0)

    def test_grand_total(self):
        self.assertEqual(grand_total(20.0), 29.95)


if __name__ == "__main__":
    unittest.main()
