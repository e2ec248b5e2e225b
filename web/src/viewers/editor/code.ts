//! The code in the editor: CodeMirror in our colors, inside of the viewer's own root. It is loaded with the first text.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type Text, type TransactionSpec } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { t } from "../../i18n";
import { sign, UNSEEN } from "../../text/visible";
import { look } from "./code.styles";
import type { OpenFile } from "./file";
import { languageOf } from "./languages";

const COLOURS = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], class: "hljs-comment" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], class: "hljs-keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.inserted], class: "hljs-string" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: "hljs-number" },
  { tag: [tags.definition(tags.variableName), tags.tagName, tags.heading], class: "hljs-title" },
  { tag: [tags.attributeName, tags.propertyName, tags.typeName, tags.standard(tags.variableName)], class: "hljs-attr" },
  { tag: tags.deleted, class: "hljs-deletion" },
]);

/** What a file is called, and whether it is only for reading. */
export interface CodeOptions {
  name: string;
  readOnly: boolean;
  /** Hears of each change of the text. */
  changed: () => void;
}

/** The code of one file. */
export class Code {
  private readonly view: EditorView;
  private readonly separator = new Compartment();
  private readonly language = new Compartment();
  private readonly reading = new Compartment();
  private readonly difference = new Compartment();

  constructor(root: ShadowRoot, file: OpenFile, { name, readOnly, changed }: CodeOptions) {
    const extensions = [
      lineNumbers(),
      history(),
      bracketMatching(),
      search({ top: true }),
      highlightSpecialChars({ specialChars: UNSEEN, render: unseen }),
      syntaxHighlighting(COLOURS),
      keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
      look,
      EditorState.tabSize.of(4),
      EditorState.phrases.of(t.editor.phrases),
      EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0" }),
      this.separator.of(separatorOf(file)),
      this.language.of([]),
      this.reading.of(onlyReading(readOnly)),
      this.difference.of([]),
      EditorView.updateListener.of(({ docChanged }) => docChanged && changed()),
    ];
    // The separator must be there before the text is divided.
    const empty = EditorState.create({ extensions });
    this.view = new EditorView({ state: empty.update({ changes: { from: 0, insert: empty.toText(file.text) } }).state, root });
    void languageOf(name).then((language) => language && this.dispatch({ effects: this.language.reconfigure(language) }));
  }

  get dom(): HTMLElement {
    return this.view.dom;
  }

  get doc(): Text {
    return this.view.state.doc;
  }

  /** Puts the file in place of what is there; that can be taken back with Ctrl+Z. */
  replace(file: OpenFile, readOnly: boolean): void {
    this.dispatch({ effects: [this.separator.reconfigure(separatorOf(file)), this.reading.reconfigure(onlyReading(readOnly))] });
    const { state } = this.view;
    const insert = state.toText(file.text);
    const anchor = Math.min(state.selection.main.head, insert.length);
    this.dispatch({ changes: { from: 0, to: state.doc.length, insert }, selection: { anchor } });
  }

  /** Adds what follows in a large file. */
  append(text: string): void {
    const { state } = this.view;
    this.dispatch({ changes: { from: state.doc.length, insert: state.toText(text) } });
  }

  /** Shows what differs from another file, or no longer. */
  async compare(file: OpenFile | undefined): Promise<void> {
    if (!file) return this.dispatch({ effects: this.difference.reconfigure([]) });
    const { unifiedMergeView } = await import("@codemirror/merge");
    const original = this.view.state.toText(file.text);
    this.dispatch({ effects: this.difference.reconfigure(unifiedMergeView({ original, mergeControls: false, syntaxHighlightDeletions: false })) });
  }

  /** After it was out of the page, it is where the cursor is. */
  reveal(): void {
    const { main } = this.view.state.selection;
    if (main.head > 0) this.dispatch({ effects: EditorView.scrollIntoView(main.head, { y: "center" }) });
    this.view.requestMeasure();
  }

  focus(): void {
    this.view.focus();
  }

  private dispatch(spec: TransactionSpec): void {
    this.view.dispatch(spec);
  }
}

/** Where lines end in several ways, only one of them divides the text, so that all stay as they are. */
function separatorOf({ mixed }: OpenFile): Extension {
  return mixed ? EditorState.lineSeparator.of("\n") : [];
}

/** It is still reached with the keyboard, and searched. */
function onlyReading(readOnly: boolean): Extension {
  if (!readOnly) return [];
  return [EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.contentAttributes.of({ "aria-readonly": "true" })];
}

function unseen(code: number): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "unseen";
  shown.textContent = sign(code);
  return shown;
}
