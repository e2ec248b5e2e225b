//! The side of the conversations: its head, the list in groups, and what appears beside an item.

import { css } from "lit";

export const styles = css`
  img {
    border-radius: 7px;
  }
  .brand {
    flex: 1;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  .new {
    margin: 0.3rem 0.8rem 0.9rem;
  }
  .new .button {
    width: 100%;
    justify-content: center;
  }
  nav {
    flex: 1;
    min-height: 0;
    padding: 0 0.55rem 1rem;
    overflow-y: auto;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
    border-radius: var(--radius-small);
  }
  li:hover,
  li:focus-within {
    background: var(--sunken);
  }
  li.current {
    background: var(--bubble);
  }
  a {
    flex: 1;
    min-width: 0;
    padding: 0.4rem 0.6rem;
    border-radius: var(--radius-small);
    color: var(--text);
    font-size: 0.92rem;
    line-height: 1.4;
    text-decoration: none;
  }
  .title {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  h2 {
    margin: 0.9rem 0.6rem 0.25rem;
    color: var(--muted);
    font-size: 0.78rem;
    font-weight: 600;
  }
  section:first-of-type h2 {
    margin-top: 0.1rem;
  }
  .earlier {
    width: 100%;
    padding-inline: 0.6rem;
    margin-top: 0.6rem;
  }
  .title svg {
    display: inline;
    margin-inline-end: 0.35rem;
    color: var(--muted);
  }
  .tools {
    display: flex;
    width: 0;
    overflow: hidden;
  }
  li:hover .tools,
  li:focus-within .tools {
    width: auto;
    overflow: visible;
  }
  .tools .icon-button {
    width: 30px;
    height: 32px;
    min-height: 32px;
  }
  @media (hover: none) {
    .tools {
      width: auto;
      overflow: visible;
    }
    .tools .icon-button {
      width: 40px;
      height: 44px;
    }
  }
  .footer {
    display: grid;
    padding: 0.5rem 0.6rem;
    border-top: 1px solid var(--line);
  }
  .footer .button {
    justify-content: flex-start;
    min-width: 0;
  }
  .workspace svg {
    flex: none;
  }
  form {
    flex: 1;
    padding: 0.3rem;
  }
  .empty,
  .problem {
    margin: 0.3rem 0.6rem;
    font-size: 0.9rem;
  }
  .empty {
    color: var(--muted);
  }
`;
