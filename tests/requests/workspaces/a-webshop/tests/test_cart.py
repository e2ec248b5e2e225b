import unittest

from shop.cart import Cart


class CartTest(unittest.TestCase):
    def test_empty(self):
        self.assertTrue(Cart().is_empty())

    def test_add_twice(self):
        cart = Cart()
        cart.add("PEN-01", 2.5)
        cart.add("PEN-01", 2.5, 3)
        self.assertEqual(cart.item_count(), 4)

    def test_subtotal(self):
        cart = Cart()
        cart.add("NOTE-A5", 6.75, 2)
        cart.add("PEN-01", 2.5)
        self.assertEqual(cart.subtotal(), 16.0)

    def test_remove_missing(self):
        cart = Cart()
        cart.remove("NOPE")
        self.assertTrue(cart.is_empty())


if __name__ == "__main__":
    unittest.main()
