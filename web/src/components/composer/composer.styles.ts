//! One field with its buttons inside, a list of completions above it, and the three ways to send while it works.

import { css } from "lit";

export const styles = css`
  :host {
    position: relative;
  }
  .frame {
    border: 1px solid var(--line-strong);
    border-radius: 16px;
    background: var(--surface);
    box-shadow: var(--shadow);
  }
  .frame:focus-within {
    border-color: var(--accent);
    outline: 1px solid var(--accent);
  }
  .editing {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.7rem;
    margin: 0;
    padding: 0.5rem 1rem 0;
    color: var(--muted);
    font-size: 0.85rem;
  }
  .row {
    display: flex;
    align-items: flex-end;
    gap: 0.4rem;
    padding: 0.4rem 0.45rem;
  }
  textarea {
    flex: 1;
    min-width: 0;
    min-height: 36px;
    max-height: 40vh;
    padding: 0.4rem 0.6rem 0.4rem 0.2rem;
    border: 0;
    outline: 0;
    background: none;
    line-height: 1.5;
    resize: none;
    field-sizing: content;
  }
  textarea:focus-visible {
    outline: 0;
  }
  textarea::placeholder {
    color: var(--muted);
    opacity: 1;
    white-space: nowrap;
  }
  .send,
  .stop {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.3rem;
    height: 38px;
    min-width: 38px;
    border: 0;
    border-radius: 11px;
    background: var(--accent);
    color: var(--on-accent);
  }
  .send:hover:not(:disabled) {
    background: var(--accent-hover);
  }
  .send:disabled {
    background: var(--bubble);
    color: var(--muted);
    opacity: 1;
  }
  .stop {
    padding: 0 0.85rem 0 0.55rem;
    border: 1px solid var(--line-strong);
    background: var(--surface);
    color: var(--text);
    font-size: 0.9rem;
    font-weight: 500;
  }
  .stop:hover {
    background: var(--sunken);
  }
  .attach {
    flex: none;
  }
  .uploads {
    padding: 0.5rem 0.8rem 0;
  }
  fieldset {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem;
    margin: 0;
    padding: 0.5rem 0.6rem 0;
    border: 0;
    font-size: 0.84rem;
  }
  legend {
    float: left;
    margin-inline-end: 0.4rem;
    padding: 0.15rem 0.2rem;
    color: var(--muted);
  }
  fieldset label {
    padding: 0.15rem 0.6rem;
    border: 1px solid transparent;
    border-radius: 99px;
    color: var(--muted);
    cursor: pointer;
  }
  fieldset label:hover {
    color: var(--text);
  }
  fieldset label:has(:checked) {
    border-color: var(--accent);
    background: var(--accent-soft);
    color: var(--accent);
  }
  fieldset label:has(:focus-visible) {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  fieldset input {
    position: absolute;
    opacity: 0;
    pointer-events: none;
  }
  @media (max-width: 480px) {
    legend {
      position: absolute;
      clip-path: inset(50%);
    }
    fieldset label {
      padding-inline: 0.4rem;
    }
  }
  [role="listbox"] {
    position: absolute;
    z-index: 5;
    bottom: calc(100% + 6px);
    inset-inline: 0;
    max-height: min(20rem, 45vh);
    margin: 0;
    padding: 0.3rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
    list-style: none;
    overflow-y: auto;
  }
  [role="option"] {
    display: flex;
    gap: 0.9rem;
    align-items: baseline;
    padding: 0.35rem 0.6rem;
    border-radius: var(--radius-small);
    cursor: pointer;
  }
  [role="option"][aria-selected="true"] {
    background: var(--accent-soft);
  }
  .label {
    flex: none;
    margin: 0;
    max-width: 60%;
    color: var(--text);
    font: 500 0.87rem/1.6 var(--mono);
    overflow-wrap: anywhere;
  }
  .detail {
    min-width: 0;
    color: var(--muted);
    font-size: 0.86rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;
