import unittest

from spoolkeep.gcode import read_minutes, read_weight


class Gcode(unittest.TestCase):
    def test_weight_of_two_slicers(self):
        self.assertEqual(read_weight("; filament used [g] = 11.35\n"), 11.35)
        self.assertEqual(read_weight("; total filament weight: 8.2\n"), 8.2)

    def test_minutes(self):
        self.assertEqual(read_minutes("; estimated printing time = 1h 12m\n"), 72)

    def test_nothing(self):
        self.assertIsNone(read_minutes("G28\n"))
