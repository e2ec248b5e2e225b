import unittest
from datetime import date

from hutbook.booking import Booking, check_nights, free_beds


class Bookings(unittest.TestCase):
    def test_too_long(self):
        with self.assertRaises(ValueError):
            check_nights(60)

    def test_free_beds(self):
        b = Booking("Aziz", date(2026, 7, 4), 2, [35, 33, 9])
        self.assertEqual(free_beds([b], date(2026, 7, 5), 48), 45)
        self.assertEqual(free_beds([b], date(2026, 7, 6), 48), 48)

    def test_total(self):
        self.assertEqual(Booking("Aziz", date(2026, 7, 4), 2, [35, 33, 9]).total(), 190.0)
