import unittest

from shop.cart import Cart


class CartTest(unittest.TestCase):
    def test_add_twice(self):
        cart = Cart()
        cart.add("TUB-700", 6.5)
        cart.add("TUB-700", 6.5)
        self.assertEqual(cart.lines["TUB-700"], (6.5, 2))

    def test_bad_quantity(self):
        with self.assertRaises(ValueError):
            Cart().add("TUB-700", 6.5, 0)

    def test_grand_total(self):
        cart = Cart()
        cart.add("BEL-01", 12.0)
        self.assertEqual(cart.grand_total(), 18.95)


if __name__ == "__main__":
    unittest.main()
