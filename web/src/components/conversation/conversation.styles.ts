//! How the conversation looks: one column of entries that scrolls, and the ways to its two ends.

import { css } from "lit";

export const styles = css`
  :host {
    position: relative;
    min-height: 0;
    padding: 0;
    container-type: inline-size;
  }
  .scroll {
    height: 100%;
    overflow: hidden auto;
    overscroll-behavior: contain;
    /* The page holds its place itself: the browser does not where entries that come into view get their heights. */
    overflow-anchor: none;
    scrollbar-width: thin;
  }
  .column {
    /* As wide as the composer, whether there is a scrollbar or not. */
    width: min(47rem, 100cqi);
    margin-inline-start: max(0px, (100cqi - 47rem) / 2);
    padding: 1.2rem 1.25rem 0.6rem;
  }
  slot {
    display: block;
    margin-bottom: 1.6rem;
  }
  @media (max-width: 480px) {
    .column {
      padding-inline: 0.9rem;
    }
  }
  .earlier {
    display: flex;
    justify-content: center;
    margin-bottom: 1.2rem;
  }
  sb-turn {
    content-visibility: auto;
    contain-intrinsic-size: auto 180px;
    /* Paint containment must not cut focus rings. */
    margin-inline: -6px;
    padding-inline: 6px;
  }
  /* The height of the end is needed at once, to be there. */
  .opening sb-turn {
    content-visibility: visible;
  }
  .command {
    margin: 0.4rem 0 1.8rem;
    padding: 0.8rem 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .command h3 {
    margin: 0 0 0.5rem;
    color: var(--muted);
    font: 500 0.84rem/1.5 var(--mono);
  }
  .command.wrong {
    border-color: color-mix(in srgb, var(--danger) 35%, transparent);
  }
  .usage {
    margin: 0.5rem 0 0;
    font: 0.86rem/1.5 var(--mono);
    color: var(--muted);
  }
  .note {
    margin: 0.2rem 0 1.8rem;
    color: var(--muted);
    font-size: 0.88rem;
    text-align: center;
  }
  .note summary {
    cursor: pointer;
  }
  .note p {
    text-align: start;
    white-space: pre-line;
  }
  .loose {
    margin-bottom: 1.8rem;
  }
  .sending {
    /* A message that is taken at once does not flicker. */
    animation: appear 0.1s 0.4s backwards;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  .latest {
    position: absolute;
    bottom: 0.7rem;
    inset-inline: 0;
    display: flex;
    justify-content: center;
    pointer-events: none;
  }
  .latest .button {
    justify-content: center;
    width: 40px;
    min-height: 40px;
    padding: 0;
    pointer-events: auto;
    border-radius: 99px;
    box-shadow: var(--shadow);
  }
  /* There, words and charts take the whole width: it lies over as little of them as it can. */
  @media (max-width: 640px) {
    .latest {
      justify-content: flex-end;
      inset-inline-end: 0.9rem;
    }
    .latest .button {
      width: 44px;
      min-height: 44px;
    }
  }
`;
