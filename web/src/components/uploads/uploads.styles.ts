//! Files on their way, and those that have arrived.

import { css } from "lit";

export const styles = css`
  .uploads {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 0.8rem;
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: 0.86rem;
  }
  .uploads li {
    display: flex;
    gap: 0.4rem;
    align-items: center;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .uploads .kept {
    padding-inline-start: 0.55rem;
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--sunken);
  }
  .uploads .link-button {
    margin-inline-end: 0.55rem;
    color: var(--danger);
  }
  .uploads .wrong {
    color: var(--danger);
  }
  progress {
    width: 6rem;
  }
`;
