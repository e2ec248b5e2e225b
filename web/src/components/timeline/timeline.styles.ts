//! The steps hang on one thin line; what matters (calls) stands out, what explains (stages) stays quiet.

import { css } from "lit";

export const styles = css`
  summary {
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
    max-width: 100%;
    min-height: 32px;
    padding: 0.1rem 0.5rem 0.1rem 0.2rem;
    border-radius: var(--radius-small);
    color: var(--muted);
    font-size: 0.9rem;
    list-style: none;
    cursor: pointer;
  }
  summary:hover {
    background: var(--sunken);
    color: var(--text);
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary .chevron,
  .found summary svg {
    transition: transform 0.15s;
  }
  details[open] > summary .chevron,
  .found[open] > summary svg {
    transform: rotate(90deg);
  }
  .steps {
    position: relative;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.55rem;
    margin: 0.45rem 0 0.2rem;
    padding: 0 0 0 1.35rem;
    list-style: none;
  }
  .steps::before {
    content: "";
    position: absolute;
    inset: 0.6rem auto 0.6rem 0.5rem;
    border-inline-start: 1.5px solid var(--line);
  }
  li {
    position: relative;
    min-width: 0;
  }
  li::before {
    content: "";
    position: absolute;
    top: 0.5rem;
    inset-inline-start: -1.13rem;
    width: 9px;
    height: 9px;
    border: 2px solid var(--bg);
    border-radius: 50%;
    background: var(--line-strong);
    box-sizing: border-box;
  }
  li.call::before {
    top: 1rem;
    background: var(--accent);
  }
  .step {
    margin: 0;
    font-size: 0.9rem;
    overflow-wrap: anywhere;
  }
  .stage {
    margin-inline-end: 0.4rem;
    color: var(--muted);
  }
  .why {
    margin: 0.1rem 0 0;
    color: var(--muted);
    font-size: 0.86rem;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .found summary {
    padding: 0;
    min-height: 0;
    font-size: 0.84rem;
  }
  .found summary span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .candidates {
    margin: 0.3rem 0 0;
    padding: 0;
    color: var(--muted);
    font-size: 0.84rem;
    list-style: none;
  }
  .candidates li {
    display: grid;
    grid-template-columns: fit-content(60%) max-content minmax(0, 1fr);
    gap: 0 0.8rem;
    align-items: center;
    padding: 0.35rem 0;
    border-top: 1px solid var(--line);
  }
  .candidates li:first-child {
    border-top: 0;
  }
  .candidates li::before {
    content: none;
  }
  .candidates .name {
    color: var(--text);
    font-family: var(--mono);
    overflow-wrap: anywhere;
  }
  .candidates .percent {
    font-variant-numeric: tabular-nums;
  }
  .candidates .chosen,
  .candidates .try {
    justify-self: end;
    white-space: nowrap;
  }
  .candidates .chosen {
    color: var(--text);
  }
  .candidates .reasons {
    grid-column: 1 / -1;
    overflow-wrap: anywhere;
  }
  .try {
    min-height: 28px;
    padding: 0.1rem 0.6rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    color: var(--text);
  }
  .try:hover {
    background: var(--sunken);
  }
  @media (pointer: coarse) {
    .try {
      min-height: 44px;
    }
    .found summary {
      min-height: 40px;
    }
  }
`;
