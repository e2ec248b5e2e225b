//! How a reply reads: a comfortable measure, quiet headings, code and tables that scroll by themselves.

import { css } from "lit";

export const styles = css`
  :host {
    overflow-wrap: anywhere;
  }
  .words > :first-child {
    margin-top: 0;
  }
  .words > :last-child {
    margin-bottom: 0;
  }
  p,
  ul,
  ol,
  blockquote,
  .table {
    margin: 0 0 0.75em;
  }
  ul,
  ol {
    padding-inline-start: 1.4em;
  }
  li + li,
  li > ul,
  li > ol {
    margin-top: 0.2em;
    margin-bottom: 0;
  }
  li > p {
    margin-bottom: 0.3em;
  }
  h3,
  h4,
  h5,
  h6 {
    margin: 1.2em 0 0.45em;
    font-size: 1.05em;
    font-weight: 650;
    line-height: 1.35;
  }
  h3 {
    font-size: 1.18em;
  }
  a {
    color: var(--accent);
    text-underline-offset: 2px;
  }
  a.image,
  span.image {
    font-style: italic;
  }
  img {
    max-width: 100%;
    border-radius: var(--radius-small);
  }
  code {
    padding: 0.1em 0.35em;
    border-radius: 5px;
    background: var(--bubble);
  }
  pre {
    margin: 0 0 0.8em;
    max-height: 32rem;
    white-space: pre;
    overflow-wrap: normal;
  }
  pre code {
    padding: 0;
    background: none;
    font: inherit;
  }
  .code {
    position: relative;
  }
  .code button {
    position: absolute;
    top: 0.4rem;
    inset-inline-end: 0.4rem;
    min-height: 28px;
    padding: 0.05rem 0.55rem;
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--surface);
    color: var(--muted);
    font-size: 0.78rem;
    opacity: 0;
  }
  .code:hover button,
  .code button:focus-visible {
    opacity: 1;
  }
  @media (hover: none) {
    .code button {
      opacity: 1;
    }
  }
  blockquote {
    padding-inline-start: 0.9em;
    border-inline-start: 3px solid var(--line);
    color: var(--muted);
  }
  hr {
    border: 0;
    border-top: 1px solid var(--line);
    margin: 1.2em 0;
  }
  .table {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    font-size: 0.93em;
  }
  th,
  td {
    padding: 0.35em 0.8em 0.35em 0;
    border-bottom: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
    overflow-wrap: normal;
  }
  th {
    font-weight: 600;
  }
  [align="right"] {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  [align="center"] {
    text-align: center;
  }
  tr > :last-child {
    padding-inline-end: 0;
  }
`;
