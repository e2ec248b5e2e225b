import unittest

from spoolkeep.cost import material_cost, power_cost, print_cost


class Cost(unittest.TestCase):
    def test_material(self):
        self.assertEqual(material_cost(1000, "pla"), 22.05)

    def test_power(self):
        self.assertEqual(power_cost(10), 0.4)

    def test_print(self):
        self.assertEqual(print_cost(200, "petg", 5), 5.35)

    def test_unknown_material(self):
        with self.assertRaises(KeyError):
            material_cost(10, "nylon")
