import unittest

from fahrplan.fares import fare, group_fare


class FaresTest(unittest.TestCase):
    def test_fare(self):
        self.assertEqual(fare(10), 4.30)

    def test_youth(self):
        self.assertEqual(fare(10, youth=True), 2.79)

    def test_group_of_six(self):
        self.assertEqual(group_fare(10, 6), 20.64)


if __name__ == "__main__":
    unittest.main()
