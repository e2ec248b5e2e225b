//! How a PDF looks: white paper on the window's ground, also in the dark, with the text over each page where it stands in it.

import { css } from "lit";

export const styles = css`
  .body {
    --total-scale-factor: 1;
    --scale-round-x: 1px;
    --scale-round-y: 1px;
    position: relative;
    padding: 12px;
    background: var(--sunken);
    overflow-anchor: auto;
  }
  .sheet {
    position: relative;
    margin: 0 auto 12px;
    background: #fff;
    box-shadow: var(--shadow);
    color-scheme: only light;
  }
  .sheet:last-child {
    margin-bottom: 0;
  }
  .sheet canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  .sheet .note {
    color: #a8261c;
  }
  .text {
    --min-font-size: 1;
    --text-scale-factor: calc(var(--total-scale-factor) * var(--min-font-size));
    --min-font-size-inv: calc(1 / var(--min-font-size));
    position: absolute;
    inset: 0;
    overflow: clip;
    mix-blend-mode: multiply;
    line-height: 1;
    letter-spacing: normal;
    text-align: initial;
    -webkit-text-size-adjust: none;
    text-size-adjust: none;
    forced-color-adjust: none;
    transform-origin: 0 0;
  }
  .text :is(span, br) {
    position: absolute;
    color: transparent;
    white-space: pre;
    overflow-wrap: normal;
    cursor: text;
    transform-origin: 0% 0%;
  }
  .text > :not(.markedContent),
  .text .markedContent span:not(.markedContent) {
    --font-height: 0;
    --scale-x: 1;
    --rotate: 0deg;
    z-index: 1;
    font-size: calc(var(--text-scale-factor) * var(--font-height));
    transform: rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv));
  }
  .text .markedContent {
    display: contents;
  }
  .text ::selection {
    background: #b3d4fc;
    color: transparent;
  }
  .text br::selection {
    background: none;
  }
  ::highlight(found-in-pdf) {
    background: #ffe27a;
    color: transparent;
  }
  .number {
    width: 4.2rem;
    color: var(--text);
  }
  .go {
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
    color: var(--muted);
    font-size: 0.84rem;
    white-space: nowrap;
  }
  .find {
    flex: 1 1 7rem;
    width: auto;
    min-width: 6rem;
    max-width: 16rem;
  }
  .said {
    color: var(--muted);
    font-size: 0.84rem;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    padding: 0 0.8rem 0.8rem;
  }
  form .field {
    flex: 1 1 10rem;
    width: auto;
    max-width: 20rem;
  }
`;
