import unittest

from shop.utils import money, slugify


class UtilsTest(unittest.TestCase):
    def test_slug(self):
        self.assertEqual(slugify("Gel Pen, Blue!"), "gel-pen-blue")

    def test_money(self):
        self.assertEqual(money(1234.5), "$1,234.50")
