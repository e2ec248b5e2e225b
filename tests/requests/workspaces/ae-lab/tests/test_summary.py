import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "scripts"))

from outliers import flagged
from summary import mean, read_values


class SummaryTest(unittest.TestCase):
    def test_mean(self):
        self.assertEqual(mean([1.0, 2.0, 6.0]), 3.0)

    def test_reads_all_points(self):
        values = read_values(os.path.join(HERE, "..", "data", "ph.csv"))
        self.assertEqual(sorted(values), ["P1", "P2", "P3", "P4", "P5", "P6"])

    def test_flagged(self):
        self.assertEqual(flagged({"P1": [1.0, 1.0, 2.5]}), [("P1", 1.0), ("P1", 1.0), ("P1", 2.5)])


if __name__ == "__main__":
    unittest.main()
