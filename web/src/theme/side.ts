//! What the two sides of the page share: the conversations and the variables each have a head above what scrolls.

import { css } from "lit";

/** A side and its head. */
export const side = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    background: var(--side);
  }
  .header {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    min-height: 56px;
    padding: 0.5rem 0.6rem 0.5rem 1.1rem;
  }
`;
