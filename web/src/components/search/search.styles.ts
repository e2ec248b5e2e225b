//! The field and what was found below it, in the side of the conversations.

import { css } from "lit";

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  :host([active]) {
    flex: 1;
  }
  .box {
    position: relative;
    margin: 0 0.8rem 0.7rem;
  }
  .box svg {
    position: absolute;
    inset-block-start: 50%;
    inset-inline-start: 0.6rem;
    translate: 0 -50%;
    color: var(--muted);
    pointer-events: none;
  }
  .field {
    min-height: 36px;
    padding-inline-start: 2rem;
    font-size: 0.92rem;
  }
  @media (pointer: coarse) {
    .field {
      min-height: 44px;
      font-size: 1rem;
    }
  }
  .found {
    flex: 1;
    min-height: 0;
    padding: 0 0.55rem 1rem;
    overflow-y: auto;
  }
  .note {
    margin: 0 0.6rem 0.5rem;
    color: var(--muted);
    font-size: 0.84rem;
  }
  .problem {
    margin: 0 0.6rem 0.5rem;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .conversation {
    margin-bottom: 0.7rem;
  }
  a {
    display: block;
    padding: 0.3rem 0.6rem;
    border-radius: var(--radius-small);
    color: var(--text);
    text-decoration: none;
    overflow-wrap: anywhere;
  }
  a:hover {
    background: var(--sunken);
  }
  .title {
    font-size: 0.92rem;
    font-weight: 600;
    line-height: 1.4;
  }
  .when {
    display: block;
    color: var(--muted);
    font-size: 0.8rem;
    font-weight: 400;
  }
  .place {
    display: -webkit-box;
    margin-inline-start: 0.6rem;
    border-inline-start: 2px solid var(--line);
    border-start-start-radius: 0;
    border-end-start-radius: 0;
    color: var(--muted);
    font-size: 0.84rem;
    line-height: 1.45;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow: hidden;
  }
  .place:hover,
  .place:focus-visible {
    border-inline-start-color: var(--accent);
  }
  .by {
    color: var(--text);
    font-weight: 500;
  }
  mark {
    border-radius: 3px;
    background: var(--found);
    color: var(--text);
    font-weight: 600;
  }
  @media (pointer: coarse) {
    a {
      min-height: 44px;
      padding-block: 0.55rem;
    }
  }
`;
