import unittest

from lib.textutil import shorten, slugify


class TextTest(unittest.TestCase):
    def test_shorten(self):
        self.assertEqual(shorten("abc"), "abc")
        self.assertEqual(len(shorten("x" * 90)), 40)

    def test_slugify(self):
        self.assertEqual(slugify("Hello, World!"), "hello-world")


if __name__ == "__main__":
    unittest.main()
