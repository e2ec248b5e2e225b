//! Styles that every component shares: box sizes, buttons, focus, chips, fields, and text for screen readers only.

import { css } from "lit";

/** What every component begins with. */
export const base = css`
  :host {
    display: block;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  button,
  input,
  textarea,
  select {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }
  button {
    cursor: pointer;
  }
  /* The chevron of those that bring none of their own. */
  summary:not(:has(svg)) {
    list-style: none;
  }
  summary:not(:has(svg))::-webkit-details-marker {
    display: none;
  }
  summary:not(:has(svg))::before {
    content: "";
    display: inline-block;
    width: 0.4em;
    height: 0.4em;
    margin: 0 0.6em 0.15em 0.15em;
    border: solid currentcolor;
    border-width: 0 1.5px 1.5px 0;
    transform: rotate(-45deg);
    transition: transform 0.15s;
  }
  details[open] > summary:not(:has(svg))::before {
    transform: rotate(45deg);
  }
  button:disabled,
  button[aria-disabled="true"] {
    cursor: default;
    opacity: 0.55;
  }
  ::highlight(found) {
    background: var(--found);
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .hidden-text {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  svg {
    display: block;
    flex: none;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`;

/** Buttons and chips. */
export const buttons = css`
  /* What acts on the conversation cannot be used where its past is shown. */
  .acts {
    visibility: var(--acts, inherit);
  }
  .button {
    display: inline-flex;
    align-items: center;
    gap: 0.45em;
    min-height: 36px;
    padding: 0.3rem 0.9rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    font-size: 0.9rem;
    font-weight: 500;
    transition: background 0.12s;
  }
  .button:hover:not(:disabled, [aria-disabled="true"]) {
    background: var(--sunken);
  }
  .button.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }
  .button.primary:hover:not(:disabled, [aria-disabled="true"]) {
    background: var(--accent-hover);
  }
  .button.danger {
    border-color: var(--danger);
    color: var(--danger);
  }
  .button.plain {
    border-color: transparent;
    background: none;
    color: var(--muted);
  }
  .button.plain:hover:not(:disabled, [aria-disabled="true"]) {
    background: var(--sunken);
    color: var(--text);
  }
  .icon-button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    width: 36px;
    height: 36px;
    padding: 0;
    border: 0;
    border-radius: var(--radius-small);
    background: none;
    color: var(--muted);
  }
  .icon-button:hover {
    background: var(--sunken);
    color: var(--text);
  }
  .link-button {
    padding: 0;
    border: 0;
    background: none;
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .chip {
    display: inline-block;
    max-width: 100%;
    padding: 0 0.45em;
    border: 0;
    border-radius: 6px;
    background: var(--accent-soft);
    color: var(--accent);
    font: 500 0.86em/1.65 var(--mono);
    overflow-wrap: anywhere;
    text-align: start;
  }
  button.chip:hover {
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  @media (pointer: coarse) {
    .button,
    .icon-button {
      min-height: 44px;
    }
    .icon-button {
      width: 44px;
    }
  }
`;

/** Fields. */
export const fields = css`
  .field {
    width: 100%;
    min-height: 2.6rem;
    padding: 0.45rem 0.65rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
  }
  textarea.field {
    resize: vertical;
    font: 0.86rem/1.5 var(--mono);
  }
  .label {
    display: block;
    margin: 0 0 0.25rem;
    color: var(--muted);
    font-size: 0.84rem;
  }
  .problem {
    margin: 0.35rem 0 0;
    color: var(--danger);
    font-size: 0.88rem;
  }
`;

/** Code and long values. */
export const code = css`
  pre {
    margin: 0;
    padding: 0.7rem 0.85rem;
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--sunken);
    font: 0.84rem/1.55 var(--mono);
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
  }
  code {
    font: 0.88em/1.5 var(--mono);
  }
`;
