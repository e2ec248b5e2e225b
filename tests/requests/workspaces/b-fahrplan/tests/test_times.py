import unittest

from fahrplan.times import duration, format_time, parse_time


class TimesTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_time("06:30"), 390)

    def test_parse_rejects(self):
        with self.assertRaises(ValueError):
            parse_time("24:00")

    def test_format_wraps(self):
        self.assertEqual(format_time(1450), "00:10")

    def test_duration_over_midnight(self):
        self.assertEqual(duration("23:50", "00:20"), 30)


if __name__ == "__main__":
    unittest.main()
