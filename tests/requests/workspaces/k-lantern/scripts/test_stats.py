import unittest

from stats import averages


class Stats(unittest.TestCase):
    def test_mean(self):
        rows = [{"version": "1.0", "seconds": "2"}, {"version": "1.0", "seconds": "4"}]
        self.assertEqual(averages(rows), {"1.0": 3.0})

    def test_nothing(self):
        self.assertEqual(averages([]), {})

    def test_rounds(self):
        rows = [{"version": "2.0", "seconds": "1"}, {"version": "2.0", "seconds": "1"}, {"version": "2.0", "seconds": "2"}]
        self.assertEqual(averages(rows)["2.0"], 1.33)


if __name__ == "__main__":
    unittest.main()
