//! A call is one quiet card: its head says what and how it went, its body what with and what came of it.

import { css } from "lit";

export const styles = css`
  :host {
    min-width: 0;
  }
  details {
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  :host([nested]) details {
    margin-inline-start: 1.2rem;
  }
  summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.15rem 0.6rem;
    padding: 0.5rem 0.8rem;
    border-radius: var(--radius);
    list-style: none;
    cursor: pointer;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary .chevron {
    color: var(--muted);
    transition: transform 0.15s;
  }
  details[open] > summary .chevron {
    transform: rotate(90deg);
  }
  .tool {
    font: 600 0.88rem/1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .counts {
    color: var(--muted);
    font: 0.82rem/1.5 var(--mono);
    white-space: nowrap;
  }
  .title {
    flex: 1 1 8rem;
    min-width: 0;
    color: var(--muted);
    font-size: 0.88rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .outcome {
    display: inline-flex;
    align-items: center;
    gap: 0.3rem;
    margin-inline-start: auto;
    color: var(--muted);
    font-size: 0.84rem;
    white-space: nowrap;
  }
  .outcome.done svg {
    color: var(--accent);
  }
  .outcome.failed {
    color: var(--danger);
  }
  .dot {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--accent);
  }
  .dot.moving {
    animation: breathe 1.3s ease-in-out infinite;
  }
  @keyframes breathe {
    50% {
      opacity: 0.25;
    }
  }
  .body {
    display: grid;
    gap: 0.75rem;
    padding: 0.15rem 0.8rem 0.8rem;
  }
  .part {
    margin: 0 0 0.25rem;
    color: var(--muted);
    font-size: 0.8rem;
    font-weight: 500;
  }
  .output {
    max-height: 17rem;
  }
  .stderr {
    color: var(--danger);
  }
  .progress {
    margin: 0;
    color: var(--muted);
    font-size: 0.88rem;
  }
  .error {
    margin: 0;
    padding: 0.55rem 0.75rem;
    border-radius: var(--radius-small);
    background: var(--danger-soft);
    color: var(--danger);
    font-size: 0.9rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .facts .field::after {
    content: " · ";
  }
  .facts .field:last-child::after {
    content: "";
  }
  .facts {
    margin: 0;
    color: var(--muted);
    font-size: 0.88rem;
    overflow-wrap: anywhere;
  }
`;
