//! The variables, one under another.

import { css } from "lit";

export const styles = css`
  h2 {
    flex: 1;
    margin: 0;
    font-size: 0.98rem;
    font-weight: 600;
  }
  .body {
    flex: 1;
    min-height: 0;
    padding: 0.1rem 0.8rem 1rem;
    overflow-y: auto;
  }
  .empty {
    margin: 0.4rem 0.3rem;
    color: var(--muted);
    font-size: 0.92rem;
  }
  .filter {
    margin-bottom: 0.7rem;
  }
  h3,
  summary {
    margin: 0.9rem 0.3rem 0.4rem;
    color: var(--muted);
    font-size: 0.82rem;
    font-weight: 500;
    line-height: 1.5;
  }
  section:first-of-type h3 {
    margin-top: 0;
  }
  h3 {
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
    unicode-bidi: isolate;
  }
  summary {
    cursor: pointer;
  }
  ul {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.55rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .variable {
    position: relative;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .variable:hover {
    border-color: var(--line-strong);
  }
  .open {
    display: block;
    width: 100%;
    padding: 0.65rem 0.8rem 0.7rem;
    border: 0;
    border-radius: inherit;
    background: none;
    text-align: start;
  }
  .open .head {
    padding-inline-end: 1.9rem;
  }
  .copy {
    position: absolute;
    top: 0.35rem;
    inset-inline-end: 0.35rem;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    align-items: baseline;
  }
  .name {
    flex: 1;
    min-width: 0;
    font: 600 0.88rem/1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .facts,
  .origin {
    color: var(--muted);
    font-size: 0.8rem;
    line-height: 1.5;
  }
  .preview {
    display: -webkit-box;
    margin: 0.3rem 0;
    font: 0.82rem/1.5 var(--mono);
    overflow: hidden;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    unicode-bidi: isolate;
  }
  .origin {
    display: block;
    overflow-wrap: anywhere;
  }
  .stale {
    color: var(--warn);
    font-weight: 600;
  }
  form {
    display: grid;
    gap: 0.5rem;
    margin: 0 0 0.8rem;
    padding: 0.8rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .add {
    margin-top: 0.8rem;
  }
  .dropping {
    outline: 2px dashed var(--accent);
    outline-offset: -6px;
    background: var(--accent-soft);
  }
  .uploads {
    margin: 0.2rem 0.3rem 0.8rem;
  }
  .adds {
    display: flex;
    flex-wrap: wrap;
  }
`;
