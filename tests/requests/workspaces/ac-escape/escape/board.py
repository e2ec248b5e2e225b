"""One line for every room on the lobby screen."""

from escape.clock import fmt_left, seconds_left


def board_line(room, elapsed, penalty=0):
    left = seconds_left(elapsed, penalty)
    if left == 0:
        return room + "  TIME UP"
    return room + "  " + fmt_left(left)
