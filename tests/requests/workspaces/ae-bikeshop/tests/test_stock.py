import unittest

from shop.stock import find_sku, low_items

PRODUCTS = [{"sku": "A", "stock": "0"}, {"sku": "B", "stock": "3"}, {"sku": "C", "stock": "2"}]


class StockTest(unittest.TestCase):
    def test_low_items(self):
        self.assertEqual(low_items(PRODUCTS), ["A", "C"])

    def test_find(self):
        self.assertEqual(find_sku(PRODUCTS, "B")["stock"], "3")
        with self.assertRaises(KeyError):
            find_sku(PRODUCTS, "Z")


if __name__ == "__main__":
    unittest.main()
