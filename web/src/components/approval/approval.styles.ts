//! The card that asks: set apart by its edge, calm in itself, its buttons large enough to hit on purpose.

import { css } from "lit";

export const styles = css`
  section {
    display: flex;
    flex-direction: column;
    max-height: 68dvh;
    padding: 0.9rem 1rem 1rem;
    border: 1px solid color-mix(in srgb, var(--warn) 45%, var(--line));
    border-inline-start: 4px solid var(--warn);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }
  section:focus-visible {
    outline-offset: 0;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.1rem 0.8rem;
    margin-bottom: 0.5rem;
  }
  h2 {
    margin: 0;
    font-size: 1rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  h2 code {
    font-weight: 600;
  }
  .timer {
    margin-inline-start: auto;
    color: var(--muted);
    font-size: 0.84rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .what {
    margin: 0 0 0.7rem;
    color: var(--muted);
    font-size: 0.9rem;
    overflow-wrap: anywhere;
  }
  .what strong {
    color: var(--warn);
    font-weight: 600;
  }
  .arguments {
    display: grid;
    gap: 0.6rem;
    min-height: 2.6rem;
    /* Room for focus rings. */
    margin: -3px;
    padding: 3px;
    overflow: auto;
  }
  /* One scrollbar for all that will run: what it has not shown was not seen. */
  textarea.field {
    max-height: none;
    field-sizing: content;
  }
  .added {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
  }
  .added .field {
    flex: 1 1 9rem;
    width: auto;
    font: 0.86rem/1.5 var(--mono);
  }
  .arguments .link-button {
    justify-self: start;
    font-size: 0.86rem;
  }
  .below {
    align-self: flex-start;
    margin: 0.3rem 0 0;
    min-height: 24px;
    color: var(--warn);
    font-size: 0.86rem;
  }
  .unseen {
    margin: 0.6rem 0 0;
    color: var(--muted);
    font-size: 0.84rem;
  }
  .bar {
    flex-direction: row;
    align-items: center;
    gap: 0.6rem;
    padding: 0.55rem 0.6rem 0.55rem 0.9rem;
  }
  .bar h2 {
    flex: 1;
  }
  :host([sheet]) section {
    position: fixed;
    z-index: 30;
    inset: 0;
    height: 100vh;
    height: 100dvh;
    max-height: none;
    padding: max(0.7rem, env(safe-area-inset-top)) max(0.9rem, env(safe-area-inset-right)) max(0.9rem, env(safe-area-inset-bottom))
      max(0.9rem, env(safe-area-inset-left));
    border: 0;
    border-top: 4px solid var(--warn);
    border-radius: 0;
    box-shadow: none;
    overflow-y: auto;
  }
  :host([sheet]) header {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
  }
  :host([sheet]) .timer {
    grid-row: 2;
    margin: 0;
    white-space: normal;
  }
  :host([sheet]) .icon-button {
    grid-row: 1 / 3;
    grid-column: 2;
  }
  :host([sheet]) .arguments {
    flex: 1;
    align-content: start;
    min-height: 7rem;
  }
  :host([sheet]) .what {
    margin: 0.7rem 0 0;
    padding-top: 0.7rem;
    border-top: 1px solid var(--line);
  }
  .covers {
    margin: 0.6rem 0 0;
    color: var(--muted);
    font-size: 0.84rem;
    overflow-wrap: anywhere;
  }
  .reason {
    margin-top: 0.7rem;
  }
  .part {
    margin: 0 0 0.3rem;
    color: var(--muted);
    font-size: 0.84rem;
  }
  .arguments details > sb-arguments {
    display: block;
    margin-top: 0.35rem;
  }
  .arguments summary,
  .reason summary {
    width: fit-content;
    color: var(--muted);
    font-size: 0.86rem;
    cursor: pointer;
  }
  .reason .field {
    margin-top: 0.35rem;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-top: 0.9rem;
  }
  .actions .plain {
    margin-inline-start: auto;
  }
  @media (max-height: 600px) {
    .arguments {
      min-height: 4.5rem;
    }
  }
  @media (max-width: 480px) {
    section {
      padding: 0.75rem 0.85rem 0.85rem;
    }
    .actions .button {
      flex: 1 1 40%;
      justify-content: center;
    }
    .actions .plain {
      margin-inline-start: 0;
    }
  }
`;
