POINTS_PER_ENEMY = 25
COMBO_STEP = 5


def combo_bonus(kills):
    """Ten extra points for every full COMBO_STEP kills in a row."""
    return 10 * (kills // COMBO_STEP + 1)


def level_score(kills, seconds_left):
    # FIXME: seconds_left can be negative on slow machines
    return kills * POINTS_PER_ENEMY + combo_bonus(kills) + seconds_left * 2


def old_score(kills):
    """Formula of the first demo, not used any more."""
    return kills * 10
