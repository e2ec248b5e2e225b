import tempfile
import unittest

from crumb.parse import CrumbError, parse_file, parse_line, span


class ParseTest(unittest.TestCase):
    def test_span(self):
        self.assertEqual(span("09:00", "10:30"), 90)

    def test_span_past_midnight(self):
        self.assertEqual(span("23:30", "00:15"), 45)

    def test_line_without_note(self):
        self.assertEqual(parse_line("2026-03-16 09:00-10:00 docs")["note"], "")

    def test_bad_line(self):
        with self.assertRaises(CrumbError):
            parse_line("lunch")

    def test_file_skips_comments(self):
        with tempfile.NamedTemporaryFile("w", suffix=".crumb") as out:
            out.write("# monday\n2026-03-16 09:00-10:00 docs\n")
            out.flush()
            self.assertEqual(len(parse_file(out.name)), 1)


if __name__ == "__main__":
    unittest.main()
