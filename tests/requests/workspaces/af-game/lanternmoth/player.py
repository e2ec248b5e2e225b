MAX_LIGHT = 100
START_LIVES = 3


class Player:
    """The moth."""

    def __init__(self, name="Moth"):
        self.name = name
        self.light = MAX_LIGHT
        self.lives = START_LIVES

    def burn(self, amount):
        """Use up light; below zero the moth loses a life and is refilled."""
        self.light -= amount
        if self.light <= 0:
            self.lives -= 1
            self.light = MAX_LIGHT

    def drink_nectar(self, amount):
        self.light = min(MAX_LIGHT, self.light + amount)

    def is_alive(self):
        return self.lives > 0
