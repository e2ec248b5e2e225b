import unittest

from parcelkit.labels import WIDTH, Label, render


class LabelsTest(unittest.TestCase):
    def setUp(self):
        self.label = Label("Ana Silva", "Rua Nova 3", "Porto", 99)

    def test_city_in_capitals(self):
        self.assertIn("PORTO", self.label.lines())

    def test_width(self):
        for line in render(self.label).splitlines():
            self.assertEqual(len(line), WIDTH)
