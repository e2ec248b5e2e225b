import unittest
from datetime import date

from plantlog.report import by_room, litres
from plantlog.store import last_watered

LOG = [
    {"date": "2026-05-01", "plant": "Basil", "ml": "200"},
    {"date": "2026-05-04", "plant": "Basil", "ml": "300"},
    {"date": "2026-05-02", "plant": "Aloe", "ml": "100"},
]


class StoreTest(unittest.TestCase):
    def test_last_watered(self):
        self.assertEqual(last_watered(LOG, "Basil"), date(2026, 5, 4))

    def test_never_watered(self):
        self.assertIsNone(last_watered(LOG, "Cactus"))

    def test_litres(self):
        self.assertEqual(litres(LOG), 0.6)

    def test_by_room(self):
        plants = [{"name": "B", "room": "hall"}, {"name": "A", "room": "hall"}]
        self.assertEqual(by_room(plants), {"hall": ["A", "B"]})
