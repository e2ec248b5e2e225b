//! The colors of charts: in both themes each stands out from the ground by more than 3 to 1.

import { css, unsafeCSS } from "lit";
import { COLOURS } from "./spec";

/** The mark of each color in the legend. */
const marks = unsafeCSS(Array.from({ length: COLOURS }, (_, at) => `.colour-${at + 1} { background: var(--chart-${at + 1}); }`).join("\n"));

export const palette = css`
  :host {
    background: var(--surface);
    --chart-1: light-dark(#0f6b62, #6fcabd);
    --chart-2: light-dark(#b4540a, #f0a35e);
    --chart-3: light-dark(#3b5bb5, #8fa9f5);
    --chart-4: light-dark(#a02c6d, #ee8fc2);
    --chart-5: light-dark(#6b7a12, #c3d15a);
    --chart-6: light-dark(#7a4fb0, #c3a3f0);
    --chart-7: light-dark(#b03030, #ff9d92);
    --chart-8: light-dark(#0f7fa8, #6cc6ea);
    --chart-9: light-dark(#7a5200, #e8bd68);
    --chart-10: light-dark(#4d5a66, #aab7c4);
    --chart-11: light-dark(#2f7d32, #86d38a);
    --chart-12: light-dark(#8c3fa0, #dc9bee);
  }
  ${marks}
`;
