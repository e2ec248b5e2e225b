//! How the code looks: in the page's colors, which follow light and dark by themselves.

import { EditorView } from "@codemirror/view";

export const look = EditorView.theme({
  // The room is the outline's, which would lie under the line numbers.
  "&": { height: "100%", padding: "2px", color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "0.82rem" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "0.6rem 0" },
  ".cm-content:focus-visible": { outline: "none" },
  ".cm-gutters": { color: "var(--muted)", backgroundColor: "var(--surface)", border: "0" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { color: "var(--danger)", backgroundColor: "transparent" },
  ".cm-searchMatch": { backgroundColor: "var(--found)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
  ".unseen": { padding: "0 0.1em", borderRadius: "3px", backgroundColor: "var(--warn-soft)", color: "var(--warn)" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--side)", fontFamily: "var(--font)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search, .cm-panel.cm-gotoLine": { padding: "0.4rem 2.6rem 0.4rem 0.6rem" },
  ".cm-panel.cm-search label": { display: "inline-flex", gap: "0.3rem", alignItems: "center", margin: "0.25rem 0.6rem 0.25rem 0", fontSize: "0.84rem" },
  ".cm-panel.cm-search [type=checkbox]": { width: "1.1rem", height: "1.1rem", margin: "0" },
  ".cm-textfield": { border: "1px solid var(--line-strong)", borderRadius: "6px", padding: "0.25rem 0.5rem", fontSize: "0.84rem", backgroundColor: "var(--surface)" },
  ".cm-button": {
    border: "1px solid var(--line-strong)", borderRadius: "6px", padding: "0.25rem 0.6rem", fontSize: "0.84rem",
    backgroundColor: "var(--surface)", backgroundImage: "none",
  },
  ".cm-button:active": { backgroundImage: "none", backgroundColor: "var(--sunken)" },
  ".cm-panel.cm-search [name=close], .cm-panel.cm-gotoLine [name=close]": { width: "28px", height: "28px", fontSize: "1.2rem", color: "var(--muted)" },
  ".cm-deletedChunk": { backgroundColor: "var(--danger-soft)", paddingLeft: "6px" },
  ".cm-deletedChunk .cm-deletedText, .cm-deletedLine, .cm-deletedLine del": { background: "none", textDecoration: "none", color: "var(--danger)" },
  ".cm-changedLine, .cm-inlineChangedLine": { backgroundColor: "var(--accent-soft)" },
  ".cm-changedText, .cm-insertedLine": { background: "none", textDecoration: "none" },
  ".cm-changeGutter": { width: "3px", paddingLeft: "1px" },
  ".cm-changedLineGutter": { background: "var(--accent)" },
  ".cm-deletedLineGutter": { background: "var(--danger)" },
});
