import unittest

from kiln.cones import nearest_cone, temp_for, to_fahrenheit


class ConeTests(unittest.TestCase):
    def test_cone_six(self):
        self.assertEqual(temp_for("6"), 1222)

    def test_cone_number_as_int(self):
        self.assertEqual(temp_for(10), 1285)

    def test_unknown_cone(self):
        with self.assertRaises(KeyError):
            temp_for("77")

    def test_fahrenheit(self):
        self.assertEqual(to_fahrenheit(1063), 1945)

    def test_nearest(self):
        self.assertEqual(nearest_cone(1000), "06")


if __name__ == "__main__":
    unittest.main()
