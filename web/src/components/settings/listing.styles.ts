//! What the server has, one under another.

import { css } from "lit";

export const styles = css`
  h3 {
    margin: 1.2rem 0 0.3rem;
    color: var(--muted);
    font-size: 0.84rem;
    font-weight: 600;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    padding: 0.55rem 0;
    border-top: 1px solid var(--line);
    content-visibility: auto;
    contain-intrinsic-size: auto 64px;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 0.7rem;
    align-items: baseline;
  }
  .name {
    font: 600 0.88rem/1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .facts {
    color: var(--muted);
    font-size: 0.84rem;
  }
  .end {
    margin-inline-start: auto;
  }
  .does {
    margin: 0.1rem 0 0;
    font-size: 0.9rem;
    overflow-wrap: anywhere;
  }
  .amiss {
    margin: 0.2rem 0 0;
    color: var(--warn);
    font-size: 0.86rem;
    overflow-wrap: anywhere;
  }
  .held {
    margin: 0.5rem 0 0.3rem;
    padding: 0.6rem 0.8rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
  }
  .held dl {
    margin: 0.3rem 0 0.7rem;
    font-size: 0.88rem;
  }
  .held dt {
    color: var(--muted);
    font-size: 0.8rem;
  }
  .held dd {
    margin: 0 0 0.3rem;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    unicode-bidi: isolate;
  }
  .risk {
    padding: 0 0.5em;
    border: 1px solid var(--line-strong);
    border-radius: 99px;
    color: var(--muted);
    font-size: 0.78rem;
    white-space: nowrap;
  }
  .lead {
    margin: 0 0 0.6rem;
    color: var(--muted);
    font-size: 0.88rem;
  }
`;
