const MIN_SWIPE = 24;

export function swipeDirection(dx, dy) {
  if (Math.abs(dx) < MIN_SWIPE && Math.abs(dy) < MIN_SWIPE) {
    return null;
  }
  // TODO: diagonal swipes
  if (Math.abs(dx) > Math.abs(dy)) {
    return { x: Math.sign(dx), y: 0 };
  }
  return { x: 0, y: Math.sign(dy) };
}
