//! The colours of code, in replies and in windows.

import { css } from "lit";

export const coloured = css`
  .hljs-comment,
  .hljs-quote,
  .hljs-meta {
    color: var(--muted);
    font-style: italic;
  }
  .hljs-keyword,
  .hljs-selector-tag,
  .hljs-doctag,
  .hljs-section {
    color: light-dark(#86247a, #e0a3d8);
  }
  .hljs-string,
  .hljs-regexp,
  .hljs-addition,
  .hljs-symbol {
    color: light-dark(#1b652d, #9ad6a4);
  }
  .hljs-number,
  .hljs-literal,
  .hljs-variable,
  .hljs-template-variable {
    color: light-dark(#854600, #e8bd68);
  }
  .hljs-title,
  .hljs-name,
  .hljs-selector-class,
  .hljs-selector-id {
    color: light-dark(#17549c, #8fbcf5);
  }
  .hljs-attr,
  .hljs-attribute,
  .hljs-built_in,
  .hljs-type,
  .hljs-property {
    color: light-dark(#0f6b62, #6fcabd);
  }
  .hljs-deletion {
    color: var(--danger);
  }
`;
