"""The countdown on the wall."""

GAME_SECONDS = 60 * 60


def seconds_left(elapsed, penalty=0):
    return max(0, GAME_SECONDS - elapsed - penalty)


def fmt_left(seconds):
    """Seconds as mm:ss for the lobby board."""
    return "%02d:%02d" % (seconds // 60, seconds % 60)


def should_beep(seconds):
    return seconds == 5 * 60
