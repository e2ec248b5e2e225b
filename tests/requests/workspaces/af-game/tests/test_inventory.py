import unittest

from lanternmoth.inventory import CAPACITY, Inventory


class InventoryTest(unittest.TestCase):
    def test_add(self):
        bag = Inventory()
        self.assertTrue(bag.add("nectar", 2))
        self.assertEqual(bag.total(), 2)

    def test_full(self):
        bag = Inventory()
        self.assertTrue(bag.add("stone", CAPACITY))
        self.assertFalse(bag.add("nectar"))

    def test_remove_from_empty(self):
        self.assertFalse(Inventory().remove("nectar"))

    def test_list(self):
        bag = Inventory()
        bag.add("wick")
        bag.add("nectar", 3)
        self.assertEqual(bag.fmt_list(), "3 x nectar, 1 x wick")
