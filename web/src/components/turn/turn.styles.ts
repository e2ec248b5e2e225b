//! A turn: the user's words in a soft bubble, then the work, then the reply on the page itself.

import { css } from "lit";

export const styles = css`
  :host {
    padding-block: 0.4rem 1.6rem;
  }
  .message {
    display: flex;
    flex-direction: column;
    align-items: flex-end;
    margin: 0 0 0.9rem;
  }
  .bubble {
    max-width: min(92%, 36rem);
    padding: 0.6rem 0.95rem;
    border-radius: 16px 16px 4px 16px;
    background: var(--bubble);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
  }
  .bubble.long {
    max-height: 22rem;
    overflow: auto;
  }
  .attachments {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.3rem;
    margin: 0.35rem 0 0;
    padding: 0;
    list-style: none;
    font-size: 0.9rem;
  }
  .aside {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.7rem;
    align-items: center;
    margin-top: 0.25rem;
    color: var(--muted);
    font-size: 0.84rem;
  }
  .aside.refused {
    color: var(--danger);
  }
  /* It is there for whoever looks for it: under the pointer, by keyboard, and always where there is no pointer. */
  .own {
    min-height: 32px;
    margin: 0.1rem 0 -0.6rem;
  }
  /* What was done begins at the other side, and leaves room; more about the message does not. */
  @media (min-width: 641px) {
    .own:last-child {
      position: relative;
      z-index: 1;
      margin-bottom: -1.7rem;
    }
  }
  .own .icon-button {
    width: 32px;
    height: 32px;
    opacity: 0;
  }
  .versions {
    display: flex;
    align-items: center;
    font-variant-numeric: tabular-nums;
  }
  .versions span {
    min-width: 2.4em;
    text-align: center;
  }
  .own .versions .icon-button {
    width: 28px;
    opacity: 1;
  }
  .own .versions .icon-button:disabled {
    opacity: 0.4;
  }
  @media (pointer: coarse) {
    .own .versions .icon-button {
      width: 44px;
    }
  }
  .message:hover .icon-button,
  .own .icon-button:focus-visible {
    opacity: 1;
  }
  @media (hover: none) {
    .own .icon-button {
      opacity: 1;
      height: 36px;
      min-height: 36px;
    }
  }
  sb-timeline {
    margin: 0 0 0.6rem;
  }
  .shown {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.8rem;
    align-items: center;
    margin: 0 0 0.7rem;
    padding: 0.6rem 0.85rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    font-size: 0.92rem;
    overflow-wrap: anywhere;
  }
  .shown .button {
    margin-inline-start: auto;
  }
  .muted {
    color: var(--muted);
    font-size: 0.86rem;
  }
  a {
    color: var(--accent);
  }
  .foot {
    display: flex;
    flex-direction: column;
    gap: 0.15rem;
    margin-top: 0.85rem;
    color: var(--muted);
    font-size: 0.86rem;
  }
  .foot p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .foot p > svg {
    display: inline-block;
    margin-inline-end: 0.15rem;
    vertical-align: -0.18em;
  }
  .foot .ways {
    display: flex;
    gap: 0.1rem;
    margin: 0.15rem 0 0 -0.45rem;
  }
  .ways .icon-button {
    width: 32px;
    height: 32px;
  }
  @media (pointer: coarse) {
    .ways .icon-button {
      width: 44px;
    }
  }
  .foot .name {
    font-family: var(--mono);
    font-size: 0.94em;
  }
  .foot summary {
    width: fit-content;
    border-radius: 4px;
    cursor: pointer;
  }
  .foot summary:hover {
    color: var(--text);
  }
  .foot .reasoning {
    margin: 0.3rem 0 0.2rem;
    padding-inline-start: 0.8rem;
    border-inline-start: 2px solid var(--line);
    white-space: pre-line;
  }
  .failure {
    padding: 0.8rem 1rem;
    border: 1px solid color-mix(in srgb, var(--danger) 35%, transparent);
    border-radius: var(--radius);
    background: var(--danger-soft);
  }
  .failure.calm {
    border-color: var(--line);
    background: var(--sunken);
  }
  .refusal p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .refusal p + p {
    margin-top: 0.3rem;
  }
  .failure ul {
    margin: 0.5rem 0 0;
    padding-inline-start: 1.2rem;
    font-size: 0.93rem;
  }
  .dots {
    display: inline-flex;
    gap: 5px;
    padding: 0.4rem 0.2rem;
  }
  .dots i {
    width: 7px;
    height: 7px;
    border-radius: 50%;
    background: var(--line-strong);
    animation: breathe 1.2s ease-in-out infinite;
  }
  .dots i:nth-child(2) {
    animation-delay: 0.15s;
  }
  .dots i:nth-child(3) {
    animation-delay: 0.3s;
  }
  @keyframes breathe {
    50% {
      opacity: 0.25;
    }
  }
`;
