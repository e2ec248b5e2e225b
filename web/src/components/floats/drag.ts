//! Dragging with the pointer, also when what was grabbed is no longer there.

/** Tells each place of the pointer until it is let go; `left` hears how that was. */
export function drag(event: PointerEvent, moved: (at: { x: number; y: number }) => void, left: () => void = () => undefined): void {
  const { pointerId } = event;
  const listening = new AbortController();
  const move = (next: PointerEvent): void => {
    if (next.pointerId === pointerId) moved({ x: next.clientX, y: next.clientY });
  };
  const end = (last: PointerEvent): void => {
    if (last.pointerId !== pointerId) return;
    listening.abort();
    left();
  };
  const { signal } = listening;
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", end, { signal });
  window.addEventListener("pointercancel", end, { signal });
}
