import unittest

from slugline.core import fold, shorten, slugify


class Core(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(slugify("Hello World"), "hello-world")

    def test_accents(self):
        self.assertEqual(slugify("Crème brûlée!"), "creme-brulee")

    def test_umlaut(self):
        self.assertEqual(fold("über"), "ueber")

    def test_empty(self):
        self.assertEqual(slugify(""), "")

    def test_cut_between_words(self):
        self.assertEqual(shorten("one-two-three", 9, "-"), "one-two")
