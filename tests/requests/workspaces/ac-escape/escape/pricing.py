"""What a game costs."""

PRICE_PER_PLAYER = 24
WEEKEND = ("Fri", "Sat")
WEEKEND_EXTRA = 0.15


def game_price(players, day):
    """Price in pounds for a team, day as Mon, Tue, ..."""
    if players < 2 or players > 6:
        raise ValueError("a team has two to six players")
    price = players * PRICE_PER_PLAYER
    if day in WEEKEND:
        price += price * WEEKEND_EXTRA
    return round(price, 2)


def deposit(price, percent=20):
    """The part that is due when booking."""
    return round(price * percent / 100, 2)
