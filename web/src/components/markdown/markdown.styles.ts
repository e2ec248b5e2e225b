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
    margin: 0 0 0.8em;
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--sunken);
  }
  .code pre {
    margin: 0;
    border: 0;
    background: none;
    padding-top: 0.3rem;
  }
  .head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    min-height: 30px;
    padding: 0.15rem 0.3rem 0 0.85rem;
    color: var(--muted);
    font-size: 0.78rem;
  }
  .head button {
    min-height: 28px;
    padding: 0.05rem 0.55rem;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--muted);
  }
  .head button:hover {
    background: var(--bubble);
    color: var(--text);
  }
  @media (pointer: coarse) {
    .head button {
      min-height: 40px;
      padding-inline: 0.8rem;
    }
  }
  .maths:not(.drawn) {
    font-family: var(--mono);
    font-size: 0.92em;
  }
  .maths.block {
    margin: 0 0 0.75em;
    padding: 0.2em 0;
    overflow: auto hidden;
    text-align: center;
  }
  .task {
    list-style: none;
    margin-inline-start: -1.3em;
  }
  .box {
    color: var(--accent);
  }
  .mark {
    font-size: 0.78em;
    vertical-align: super;
    line-height: 1;
  }
  .way {
    min-width: 24px;
    min-height: 24px;
    padding: 0 0.15rem;
    border: 0;
    background: none;
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .mark .way {
    margin-inline: -0.3rem;
  }
  .notes {
    margin-top: 1em;
    padding-top: 0.6em;
    border-top: 1px solid var(--line);
    color: var(--muted);
    font-size: 0.9em;
  }
  .request {
    padding: 0;
    border: 0;
    background: none;
    color: var(--accent);
    text-align: start;
    text-decoration: underline dotted;
    text-underline-offset: 3px;
    overflow-wrap: anywhere;
  }
  .request:hover {
    text-decoration-style: solid;
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
  .as-chart {
    margin-block: 0.5rem 0.9rem;
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
