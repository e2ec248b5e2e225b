import unittest

from fahrplan.network import Network


class NetworkTest(unittest.TestCase):
    def setUp(self):
        self.net = Network.from_csv("data/connections.csv")

    def test_departures_sorted(self):
        deps = [c.dep for c in self.net.departures("Lindau")]
        self.assertEqual(deps, sorted(deps))

    def test_fastest(self):
        self.assertEqual(self.net.fastest("Lindau", "Ulm", "06:00"), ["RE 5", "RB 91"])


if __name__ == "__main__":
    unittest.main()
