import unittest

from harborline.schedule import is_late, next_departure


class Schedule(unittest.TestCase):
    def test_next(self):
        self.assertEqual(next_departure("14:05"), "14:20")

    def test_none_left(self):
        self.assertIsNone(next_departure("23:00"))

    def test_late(self):
        self.assertTrue(is_late("09:10", "09:20"))


if __name__ == "__main__":
    unittest.main()
