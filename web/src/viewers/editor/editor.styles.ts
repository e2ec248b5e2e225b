//! How the editor looks: a line of what can be done, a question where both have changed, and the code.

import { css } from "lit";

export const styles = css`
  .code {
    flex: 1;
    min-height: 0;
    overflow: hidden;
  }
  .said {
    min-width: 0;
    color: var(--muted);
    font-size: 0.88rem;
  }
  .said:empty {
    position: absolute;
  }
  .conflict {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    padding: 0.6rem 0.8rem;
    border-bottom: 1px solid var(--line);
    background: var(--warn-soft);
  }
  .conflict p {
    flex: 1 0 100%;
    margin: 0;
    color: var(--warn);
  }
`;
