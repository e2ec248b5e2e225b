//! What the page and the frame that draws diagrams say to each other.

/** The colors and letters of the page as they are now, as stylesheets write them. */
export interface Look {
  dark: boolean;
  font: string;
  ground: string;
  text: string;
  line: string;
  accent: string;
  fill: string;
  other: string;
  third: string;
}

/** The page asks for a drawing. */
export interface DrawRequest {
  id: number;
  source: string;
  look: Look;
}

/** The frame is ready to draw. */
export interface FrameReady {
  ready: true;
}

/** The drawing, or why there is none: in the library's words, or because it is of a kind that the page leaves out. */
export type DrawAnswer = { id: number } & ({ svg: string; width: number; height: number; title: string; kind: string } | { problem: string } | { leftOut: true });
