//! Markdown to a fragment of safe nodes. Two walls: the renderer writes raw HTML as text, drops links that are not
//! http(s) or mailto and never loads an image from elsewhere; DOMPurify then lets only a short list through.

import DOMPurify from "dompurify";
import { Marked, type Tokens } from "marked";
import { t } from "../i18n";
import { fill } from "../i18n/fill";
import { beginNotes, escapeHtml, extensions, notesAsHtml } from "./extensions";
import { visible } from "./visible";

/** Beyond this many characters only the beginning is rendered until the reader asks for all. */
export const RENDER_LIMIT = 60_000;

const TAGS = [
  "p", "br", "hr", "h3", "h4", "h5", "h6", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li",
  "table", "thead", "tbody", "tr", "th", "td", "a", "img", "span", "div",
];
const ATTRIBUTES = ["href", "rel", "target", "title", "src", "alt", "align", "start", "class", "tabindex", "role", "aria-label"];
const LINKS = /^(?:https?|mailto):/i;
const PICTURES = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^<br\s*\/?>$/i.test(text.trim()) ? "<br>" : escapeHtml(text)),
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(6, depth + 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    link({ href, title, tokens }: Tokens.Link) {
      const words = this.parser.parseInline(tokens);
      const address = safeAddress(href);
      const path = relativePath(href);
      if (path !== undefined) return `<span class="file" title="${escapeHtml(path)}">${words}</span>`;
      if (address === undefined) return `<span>${words}</span>`;
      const hint = title ? ` title="${escapeHtml(title)}"` : "";
      return `<a href="${escapeHtml(address)}"${hint} target="_blank" rel="noopener noreferrer">${words}</a>`;
    },
    image({ href, text }: Tokens.Image) {
      if (PICTURES.test(href)) return `<img src="${href}" alt="${escapeHtml(text)}">`;
      const words = escapeHtml(text ? fill(t.reply.imageOf, { words: text }) : t.reply.image);
      const address = safeAddress(href);
      if (address === undefined) return `<span class="image">${words}</span>`;
      return `<a class="image" href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer">${escapeHtml(t.reply.notLoaded).replace("{words}", () => words)}</a>`;
    },
    code({ text, lang }: Tokens.Code) {
      const language = /^[\w+#.-]{1,24}/.exec(lang ?? "")?.[0] ?? "";
      const label = escapeHtml(language ? fill(t.reply.codeIn, { language }) : t.reply.code);
      const kind = language ? ` class="language-${escapeHtml(language.toLowerCase())}"` : "";
      return `<pre tabindex="0" role="group" aria-label="${label}"><code${kind}>${escapeHtml(text)}</code></pre>`;
    },
    listitem({ tokens, task }: Tokens.ListItem) {
      return `<li${task ? ' class="task"' : ""}>${this.parser.parse(tokens)}</li>`;
    },
    checkbox: ({ checked }: Tokens.Checkbox) =>
      `<span class="box" role="img" aria-label="${escapeHtml(checked ? t.reply.done : t.reply.open)}">${checked ? "☑" : "☐"}</span> `,
    table(token: Tokens.Table) {
      const aligned = token.header.map(({ align }, at) => align ?? (isNumeric(token.rows, at) ? "right" : ""));
      const row = (cells: Tokens.TableCell[], tag: string): string =>
        `<tr>${cells.map((cell, at) => `<${tag}${aligned[at] ? ` align="${aligned[at]}"` : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
      const body = token.rows.map((cells) => row(cells, "td")).join("");
      const table = `<table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table>`;
      return `<div class="table" tabindex="0" role="group" aria-label="${escapeHtml(t.reply.table)}">${table}</div>`;
    },
  },
});
marked.use(extensions);

/** The markdown as nodes that do nothing but show. */
export function renderMarkdown(source: string): DocumentFragment {
  beginNotes();
  const html = marked.parse(visible(source.replace(/\r\n?/g, "\n")), { async: false });
  const notes = notesAsHtml((words) => marked.parseInline(words, { async: false }));
  const fragment = DOMPurify.sanitize(html + notes, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // All other attributes would have to look like an address too.
    ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== "href" && name !== "src"),
    ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto):|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
    RETURN_DOM_FRAGMENT: true,
  });
  inOrder(fragment);
  return fragment;
}

/** Reads what most texts have. The first text takes as long as a dozen others: better while nobody waits for it. */
export function prepareMarkdown(): void {
  renderMarkdown("A **word**:\n\n- `code`");
}

/** Headings below the page's own go down one level at a time, whatever the text does. */
function inOrder(fragment: DocumentFragment): void {
  let above = 2;
  for (const heading of fragment.querySelectorAll("h3, h4, h5, h6")) {
    const wanted = Number(heading.localName.slice(1));
    const level = Math.min(wanted, above + 1);
    above = level;
    if (level === wanted) continue;
    const instead = document.createElement(`h${level}`);
    instead.append(...heading.childNodes);
    heading.replaceWith(instead);
  }
}

/** The markdown as words, for screen readers' live announcements. */
export function plainWords(source: string, limit = 600): string {
  const words = (renderMarkdown(source.slice(0, limit * 4)).textContent ?? "").replace(/\s+/g, " ").trim();
  return words.length > limit ? `${words.slice(0, limit)}…` : words;
}

/** An amount: digits with their signs, and at most a short unit. */
const AMOUNT = /^[-+−]?[$€£]?\d[\d.,'\u00a0\u202f ]*(?: ?(?:%|[A-Za-z€$£µ]{1,3}))?$/;

/** Whether a column holds numbers; cells that hold nothing say nothing. */
function isNumeric(rows: readonly Tokens.TableCell[][], column: number): boolean {
  const texts = rows.map((cells) => cells[column]?.text.trim() ?? "").filter((text) => !/^[-–—]?$/.test(text));
  return texts.length > 0 && texts.every((text) => AMOUNT.test(text));
}

/** The path of a link that leads to another file; where from is for whoever shows it. */
function relativePath(href: string): string | undefined {
  const path = unescaped(href.replace(/[?#].*$/, ""));
  return path === undefined || path === "" || path.length > 1000 || /^[/\\]|^[a-z][a-z\d+.-]*:|[\u0000-\u001f]/i.test(path) ? undefined : path;
}

/** The path from the workspace's root, of a link in a file of this folder; `undefined` if it leads out. */
export function pathFrom(folder: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== "" && part !== "." && part !== "..") parts.push(part);
  }
  return parts.length > 0 ? parts.join("/") : undefined;
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function safeAddress(href: string): string | undefined {
  try {
    const { protocol } = new URL(href);
    return LINKS.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
