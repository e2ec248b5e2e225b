//! How the tree looks: rows of one height, so that only those in view stand in the page.

import { css } from "lit";

export const styles = css`
  .tools .field {
    flex: 1 1 9rem;
    width: auto;
    min-width: 6rem;
  }
  .count {
    color: var(--muted);
    font-size: 0.84rem;
  }
  .count:empty {
    position: absolute;
  }
  .body {
    overflow-anchor: none;
  }
  sb-editor-viewer {
    flex: 1;
    height: auto;
  }
  .tree {
    font: 0.82rem/1.55 var(--mono);
    outline: none;
  }
  .row {
    --indent: calc(var(--level) * 1.1rem);
    display: flex;
    align-items: center;
    gap: 0.5ch;
    height: 1.75rem;
    padding-inline: calc(0.4rem + var(--indent)) 0.6rem;
    white-space: pre;
    cursor: default;
  }
  .row > span {
    flex: none;
  }
  .row > .value {
    flex: 0 1 auto;
    min-width: 3ch;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .row > .name {
    max-width: 60%;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .row > .sign {
    width: 1rem;
    color: var(--muted);
    text-align: center;
  }
  .row[aria-expanded] {
    cursor: pointer;
  }
  .row:hover {
    background: var(--sunken);
  }
  .row[aria-selected="true"] {
    background: var(--accent-soft);
  }
  .tree:focus-visible .row[aria-selected="true"] {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }
  .place > .name,
  .place > .value {
    font-weight: 700;
  }
  .quiet {
    color: var(--muted);
  }
  .chosen {
    padding: 0.4rem 0.8rem;
    border-top: 1px solid var(--line);
    font: 0.82rem/1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .chosen pre {
    max-height: 9rem;
    margin-top: 0.4rem;
  }
  @media (pointer: coarse) {
    .row {
      height: 2.5rem;
    }
  }
`;
