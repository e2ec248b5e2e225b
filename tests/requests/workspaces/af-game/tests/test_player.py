import unittest

from lanternmoth.player import MAX_LIGHT, Player


class PlayerTest(unittest.TestCase):
    def test_burn(self):
        player = Player()
        player.burn(30)
        self.assertEqual(player.light, 70)

    def test_losing_a_life(self):
        player = Player()
        player.burn(120)
        self.assertEqual(player.lives, 2)
        self.assertEqual(player.light, MAX_LIGHT)

    def test_nectar_is_capped(self):
        player = Player()
        player.burn(10)
        player.drink_nectar(50)
        self.assertEqual(player.light, MAX_LIGHT)
