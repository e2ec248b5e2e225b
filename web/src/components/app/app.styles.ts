//! The page's frame: conversations at the left, the conversation in the middle, variables at the right; on narrow
//! screens the sides become drawers over the middle.

import { css } from "lit";

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    height: 100vh;
    height: 100dvh;
  }
  sb-sessions,
  sb-context {
    height: 100vh;
    height: 100dvh;
  }
  sb-sessions {
    width: 15.5rem;
    border-inline-end: 1px solid var(--line);
  }
  sb-context {
    width: 20rem;
    border-inline-start: 1px solid var(--line);
  }
  .drawer {
    position: fixed;
    z-index: 20;
    inset-block: 0;
    width: min(21rem, 88vw);
    box-shadow: var(--shadow);
  }
  sb-sessions.drawer {
    inset-inline-start: 0;
  }
  sb-context.drawer {
    inset-inline-end: 0;
  }
  .scrim {
    position: fixed;
    z-index: 15;
    inset: 0;
    border: 0;
    background: #00000059;
  }
  main {
    grid-column: 2;
    display: flex;
    flex-direction: column;
    min-width: 0;
    height: 100vh;
    height: 100dvh;
  }
  .bar {
    display: flex;
    align-items: center;
    gap: 0.25rem;
    min-height: 56px;
    padding: 0.4rem 0.7rem;
    border-bottom: 1px solid var(--line);
  }
  .title {
    flex: 1;
    min-width: 0;
    margin: 0 0.4rem;
    font-size: 0.98rem;
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .reasoner {
    max-width: 13rem;
    padding: 0.15rem 0.65rem;
    border: 1px solid var(--line);
    border-radius: 99px;
    background: none;
    color: var(--muted);
    font-size: 0.82rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .reasoner:hover {
    color: var(--text);
    border-color: var(--line-strong);
  }
  .gauge {
    color: var(--muted);
    font-size: 0.82rem;
    white-space: nowrap;
  }
  a.icon-button {
    color: var(--muted);
  }
  .vars {
    width: auto;
    padding: 0 0.55rem;
    gap: 0.35rem;
    font-size: 0.86rem;
  }
  sb-conversation,
  sb-welcome {
    flex: 1;
  }
  .dock {
    display: grid;
    gap: 0.6rem;
    width: 100%;
    max-width: 47rem;
    margin: 0 auto;
    padding: 0.3rem 1.25rem 1rem;
  }
  .attention {
    display: grid;
    gap: 0.6rem;
    max-height: 62vh;
    overflow-y: auto;
    margin: -3px;
    padding: 3px;
  }
  .gone {
    padding: 1rem 1.1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .gone p {
    margin: 0 0 0.8rem;
  }
  @media (max-width: 480px) {
    .dock {
      padding: 0.2rem 0.6rem 0.6rem;
    }
    .bar {
      padding-inline: 0.3rem;
      gap: 0;
    }
    .reasoner,
    .gauge {
      display: none;
    }
  }
`;
