import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))

from tools.crc import crc8


class Crc(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(crc8(b""), 0)

    def test_known(self):
        self.assertEqual(crc8(b"123456789"), 0xF4)

    def test_one_bit(self):
        self.assertNotEqual(crc8(b"\x01"), crc8(b"\x03"))


if __name__ == "__main__":
    unittest.main()
