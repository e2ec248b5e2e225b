//! Where floating windows are: kept inside of the page, stacked, and remembered over a reload of this tab.

/** A rectangle in the page, in CSS pixels from its upper left. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a floating window is, or was before it was put away or made as large as the page. */
export interface Place extends Rect {
  state: "normal" | "minimized" | "maximized";
}

/** How much room there is. */
export type Room = Pick<Rect, "width" | "height">;

/** The sides of a window that are pulled, as on a map: `n`, `e`, `s`, `w`, or two of them. */
export type Edge = "n" | "e" | "s" | "w" | "ne" | "se" | "sw" | "nw";

/** The smallest window, where there is room for it. */
const LEAST: Room = { width: 280, height: 180 };
/** How large a window is that was not dragged out. */
const USUAL: Room = { width: 560, height: 480 };
/** How far a new window stands from the one before. */
const CASCADE_PX = 28;
/** More places are not remembered. */
const MOST = 24;

/** The room that the page has now. */
export function roomNow(): Room {
  return { width: innerWidth, height: innerHeight };
}

/** The rectangle, inside of the room. */
export function within({ x, y, width, height }: Rect, room: Room): Rect {
  const size = { width: clamp(width, LEAST.width, room.width), height: clamp(height, LEAST.height, room.height) };
  return { x: clamp(x, 0, room.width - size.width), y: clamp(y, 0, room.height - size.height), ...size };
}

/** The rectangle after one of its edges was pulled; the others stay where they are. */
export function pulled({ x, y, width, height }: Rect, edge: Edge, dx: number, dy: number, room: Room): Rect {
  let [left, top, right, bottom] = [x, y, x + width, y + height];
  const least = { width: Math.min(LEAST.width, width), height: Math.min(LEAST.height, height) };
  if (edge.includes("w")) left = clamp(left + dx, 0, right - least.width);
  if (edge.includes("e")) right = clamp(right + dx, left + least.width, room.width);
  if (edge.includes("n")) top = clamp(top + dy, 0, bottom - least.height);
  if (edge.includes("s")) bottom = clamp(bottom + dy, top + least.height, room.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, most), Math.min(least, Math.max(most, 0)));
}

/** The places of a session's floating windows, the one on top last. */
export class Places {
  private places = new Map<string, Place>();
  private key?: string;

  constructor(private readonly storage: Pick<Storage, "getItem" | "setItem"> | undefined) {}

  /** Takes up what is remembered of this session. */
  attach(sessionId: string): void {
    const key = `switchboard-windows-${sessionId}`;
    if (this.key === key) return;
    this.key = key;
    this.places = new Map(this.load(key));
  }

  /** From the lowest to the one on top. */
  get all(): readonly (readonly [string, Place])[] {
    return [...this.places];
  }

  get(windowId: string): Place | undefined {
    return this.places.get(windowId);
  }

  /** Puts a window there, on top of all others; without a place it is docked. */
  put(windowId: string, place: Place | undefined): void {
    this.places.delete(windowId);
    if (place) this.places.set(windowId, place);
    while (this.places.size > MOST) this.places.delete([...this.places.keys()][0] ?? "");
    this.save();
  }

  /** A place for one more window. */
  free(room: Room): Place {
    const at = this.places.size * CASCADE_PX;
    const rect = { x: (room.width - USUAL.width) / 2 + at, y: (room.height - USUAL.height) / 3 + at, ...USUAL };
    return { ...within(rect, room), state: "normal" };
  }

  private save(): void {
    try {
      if (this.key !== undefined) this.storage?.setItem(this.key, JSON.stringify([...this.places]));
    } catch {
      // Not remembered, then.
    }
  }

  private load(key: string): [string, Place][] {
    try {
      const kept: unknown = JSON.parse(this.storage?.getItem(key) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isPlaced) : [];
    } catch {
      return [];
    }
  }
}

/** Somebody else may have written there. */
function isPlaced(entry: unknown): entry is [string, Place] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string" || typeof entry[1] !== "object" || entry[1] === null) return false;
  const { x, y, width, height, state } = entry[1] as Partial<Place>;
  return [x, y, width, height].every((value) => Number.isFinite(value)) && ["normal", "minimized", "maximized"].includes(state ?? "");
}
