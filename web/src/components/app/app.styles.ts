//! The page's frame: conversations at the left, the conversation in the middle, variables at the right; on narrow
//! screens the sides become drawers over the middle.

import { css } from "lit";

export const styles = css`
  :host {
    /* The row of windows that are put away. */
    --shelf: 2.75rem;
    --taken: 0px;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto auto;
    height: 100vh;
    height: calc(100dvh - var(--taken));
  }
  :host([shelved]) {
    --taken: var(--shelf);
  }
  .skip {
    position: fixed;
    z-index: 60;
    top: 0.4rem;
    inset-inline-start: 0.4rem;
    padding: 0.5rem 0.9rem;
    border: 1px solid var(--accent);
    border-radius: var(--radius-small);
    background: var(--surface);
    color: var(--accent);
  }
  .skip:not(:focus-visible) {
    clip-path: inset(50%);
    width: 1px;
    height: 1px;
    padding: 0;
    overflow: hidden;
  }
  sb-sessions,
  sb-context {
    height: 100vh;
    height: calc(100dvh - var(--taken));
  }
  sb-sessions {
    width: 15.5rem;
    border-inline-end: 1px solid var(--line);
  }
  sb-context {
    width: 20rem;
    border-inline-start: 1px solid var(--line);
  }
  sb-windows {
    width: clamp(20rem, 40vw, 46rem);
    height: 100vh;
    height: calc(100dvh - var(--taken));
    border-inline-start: 1px solid var(--line);
  }
  sb-windows.over {
    position: fixed;
    z-index: 18;
    inset: 0;
    width: 100vw;
    border: 0;
  }
  /* Windows show what is now. */
  :host([past]) sb-windows,
  :host([past]) sb-floats {
    display: none;
  }
  :host([past]) sb-conversation {
    --acts: hidden;
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
    height: calc(100dvh - var(--taken));
  }
  sb-conversation,
  sb-welcome {
    flex: 1;
  }
  .dock {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6rem;
    width: 100%;
    max-width: 47rem;
    margin: 0 auto;
    padding: 0.3rem 1.25rem 1rem;
  }
  .attention {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6rem;
  }
  .more {
    margin: 0;
    color: var(--muted);
    font-size: 0.86rem;
    text-align: center;
  }
  .about {
    margin: 0;
    white-space: pre-line;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin: 1rem 0 0;
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
  }
`;
