import unittest

from page_text import page_text, shorten


class PageTextTest(unittest.TestCase):
    def test_known_kind(self):
        self.assertEqual(page_text("fire", "Mill Lane 4"), "FIRE Mill Lane 4")

    def test_unknown_kind(self):
        self.assertEqual(page_text("cat", "Elm 2"), "CALL Elm 2")

    def test_long_place_is_cut(self):
        self.assertEqual(len(page_text("storm", "x" * 80)), 40)

    def test_shorten_keeps_short_text(self):
        self.assertEqual(shorten("abc"), "abc")


if __name__ == "__main__":
    unittest.main()
