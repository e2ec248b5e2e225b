import unittest

from logger import convert


class ConvertTest(unittest.TestCase):
    def test_kmh(self):
        self.assertEqual(convert.ms_to_kmh(10), 36.0)

    def test_knots(self):
        self.assertEqual(convert.ms_to_knots(10), 19.4)

    def test_fahrenheit(self):
        self.assertEqual(convert.c_to_f(100), 212.0)

    def test_sector(self):
        self.assertEqual(convert.sector(350), "N")
        self.assertEqual(convert.sector(200), "S")

    def test_dew_point(self):
        self.assertEqual(convert.dew_point(20, 50), 9.3)


if __name__ == "__main__":
    unittest.main()
