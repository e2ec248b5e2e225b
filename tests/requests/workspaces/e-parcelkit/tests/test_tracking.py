import unittest

from parcelkit.tracking import check_digit, is_valid, make_code


class TrackingTest(unittest.TestCase):
    def test_round_trip(self):
        self.assertTrue(is_valid(make_code(1234567)))

    def test_wrong_digit(self):
        good = make_code(42)
        bad = good[:-1] + str((int(good[-1]) + 1) % 10)
        self.assertFalse(is_valid(bad))

    def test_check_digit_of_zero(self):
        self.assertEqual(check_digit("000000000"), 0)

    def test_lower_case(self):
        self.assertTrue(is_valid(make_code(7).lower()))
