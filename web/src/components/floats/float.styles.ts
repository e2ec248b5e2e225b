//! How a floating window looks: a bar with its title, what it shows, and edges that can be pulled.

import { css } from "lit";

export const styles = css`
  :host {
    position: fixed;
    top: 0;
    left: 0;
  }
  section {
    display: flex;
    flex-direction: column;
    height: 100%;
    overflow: hidden;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }
  .bar {
    display: flex;
    align-items: center;
    min-height: 40px;
    padding-inline-end: 0.2rem;
    border-bottom: 1px solid var(--line);
    background: var(--side);
    cursor: move;
    user-select: none;
    touch-action: none;
  }
  .title {
    flex: 1;
    min-width: 0;
    align-self: stretch;
    padding: 0 0.8rem;
    border: 0;
    background: none;
    color: var(--muted);
    font-size: 0.9rem;
    text-align: start;
    text-overflow: ellipsis;
    white-space: nowrap;
    overflow: hidden;
    cursor: move;
  }
  :host([front]) .title {
    color: var(--text);
    font-weight: 600;
  }
  .title:focus-visible {
    outline-offset: -3px;
    border-radius: var(--radius);
  }
  .mark {
    color: var(--warn);
  }
  .edge {
    position: absolute;
    touch-action: none;
  }
  .n,
  .s {
    inset-inline: 10px;
    height: 6px;
    cursor: ns-resize;
  }
  .e,
  .w {
    inset-block: 10px;
    width: 6px;
    cursor: ew-resize;
  }
  .ne,
  .nw,
  .se,
  .sw {
    width: 12px;
    height: 12px;
  }
  .ne,
  .sw {
    cursor: nesw-resize;
  }
  .nw,
  .se {
    cursor: nwse-resize;
  }
  .n,
  .ne,
  .nw {
    top: 0;
  }
  .s,
  .se,
  .sw {
    bottom: 0;
  }
  .e,
  .ne,
  .se {
    right: 0;
  }
  .w,
  .nw,
  .sw {
    left: 0;
  }
  @media (pointer: coarse) {
    .ne,
    .nw,
    .se,
    .sw {
      width: 28px;
      height: 28px;
    }
  }
`;
