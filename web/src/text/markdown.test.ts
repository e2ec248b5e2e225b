//! Markdown from models and tools shows and does nothing else. Runs in a DOM: @vitest-environment jsdom

import { beforeEach, describe, expect, it } from "vitest";
import { pathFrom, plainWords, renderMarkdown } from "./markdown";

function rendered(source: string): HTMLElement {
  const box = document.createElement("div");
  box.append(renderMarkdown(source));
  document.body.replaceChildren(box);
  return box;
}

const ALLOWED_TAGS = new Set(
  "P BR HR H3 H4 H5 H6 STRONG EM DEL CODE PRE BLOCKQUOTE UL OL LI TABLE THEAD TBODY TR TH TD A IMG SPAN DIV".split(" "),
);
const ALLOWED_ATTRIBUTES = new Set("href rel target title src alt align start class tabindex role aria-label".split(" "));

/** What must hold for every text there is. */
function expectHarmless(box: HTMLElement): void {
  for (const element of box.querySelectorAll("*")) {
    expect(ALLOWED_TAGS).toContain(element.tagName);
    for (const { name, value } of element.attributes) {
      expect(ALLOWED_ATTRIBUTES).toContain(name);
      if (name === "href") expect(value).toMatch(/^(https?:|mailto:)/i);
      if (name === "src") expect(value).toMatch(/^data:image\/(png|jpeg|gif|webp);base64,/);
    }
    if (element.tagName === "A") expect(element.getAttribute("rel")).toContain("noopener");
  }
  expect((window as { __pwned?: unknown }).__pwned).toBeUndefined();
}

const ATTACKS = [
  "<script>window.__pwned = 1</script>",
  "<img src=x onerror='window.__pwned = 1'>",
  "<svg onload='window.__pwned = 1'></svg>",
  "<svg><script>window.__pwned = 1</script></svg>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=window.__pwned=1&gt;'>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=window.__pwned=1>",
  "<noscript><p title=\"</noscript><img src=x onerror=window.__pwned=1>\">",
  "<iframe srcdoc='<script>parent.__pwned = 1</script>'></iframe>",
  "<iframe src='javascript:parent.__pwned=1'></iframe>",
  "<object data='javascript:window.__pwned=1'></object><embed src='javascript:window.__pwned=1'>",
  "<style>body { background: url(https://evil.example/) }</style>",
  "<base href='https://evil.example/'>",
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
  "<link rel=stylesheet href=https://evil.example/a.css>",
  "<form action=https://evil.example/><input name=q><button>Go</button></form>",
  "<details open ontoggle='window.__pwned=1'><summary>x</summary></details>",
  "<a href='javascript:window.__pwned=1' onclick='window.__pwned=1'>x</a>",
  "<p style='position:fixed;inset:0' class=\"x\" id=location>over all</p>",
  "<template><img src=x onerror=window.__pwned=1></template>",
  "<video autoplay onplay=window.__pwned=1><source src=x onerror=window.__pwned=1></video>",
  "[x](javascript:window.__pwned=1)",
  "[x](JaVaScRiPt:window.__pwned=1)",
  "[x](java\tscript:window.__pwned=1)",
  "[x](&#106;avascript:window.__pwned=1)",
  "[x](javascript&colon;window.__pwned=1)",
  "[x]( javascript:window.__pwned=1)",
  "[x](\u0001javascript:window.__pwned=1)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[x](vbscript:window.__pwned=1)",
  "[x](file:///etc/passwd)",
  "[x](blob:https://evil.example/1)",
  "[x](//evil.example/)",
  "[x](/api/login)",
  "[x](#here)",
  "<javascript:window.__pwned=1>",
  "[x]: javascript:window.__pwned=1\n\n[x]",
  "[x](https://a.example/\"onmouseover=\"window.__pwned=1)",
  "[x](https://a.example 'title\" onmouseover=\"window.__pwned=1')",
  "![x](https://evil.example/pixel.png)",
  "![x](//evil.example/pixel.png)",
  "![x](/api/sessions)",
  "![x](javascript:window.__pwned=1)",
  "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
  "![x](data:image/png;base64,AAAA\" onerror=\"window.__pwned=1)",
  "![\" onerror=\"window.__pwned=1](https://evil.example/x.png)",
  "![x\"><img src=x onerror=window.__pwned=1>](https://evil.example/x.png)",
  "```js\"><img src=x onerror=window.__pwned=1>\ncode\n```",
  "```\n</code></pre><script>window.__pwned = 1</script>\n```",
  "`<img src=x onerror=window.__pwned=1>`",
  "| <img src=x onerror=window.__pwned=1> | b |\n|---|:-:|\n| <script>window.__pwned=1</script> | [x](javascript:1) |",
  "# <img src=x onerror=window.__pwned=1>",
  "- [x] <img src=x onerror=window.__pwned=1>",
  "**<img src=x onerror=window.__pwned=1>**",
  "<!-- --><img src=x onerror=window.__pwned=1> <!--",
  "<![CDATA[<img src=x onerror=window.__pwned=1>]]>",
  "<?php <img src=x onerror=window.__pwned=1> ?>",
  "<a href=\"https://ok.example\" target=_self rel=opener>x</a>",
  "$<img src=x onerror=window.__pwned=1>$ $$<script>window.__pwned=1</script>$$",
  "\\[ <svg onload=window.__pwned=1> \\]",
  "a[^\"onmouseover=\"window.__pwned=1]\n\n[^\"onmouseover=\"window.__pwned=1]: <img src=x onerror=window.__pwned=1> [x](javascript:1)",
  "```\"onclick=\"window.__pwned=1\ncode\n```",
  "${window.__pwned=1} {{constructor.constructor('window.__pwned=1')()}}",
];

describe("an attack", () => {
  beforeEach(() => {
    delete (window as { __pwned?: unknown }).__pwned;
  });

  it.each(ATTACKS)("%s stays inert", (source) => {
    expectHarmless(rendered(source));
  });

  it.each(ATTACKS)("inside other markdown, %s stays inert", (source) => {
    expectHarmless(rendered(`> - **a** ${source}\n>\n> ${source}\n\n1. ${source}`));
  });

  it("in raw HTML is shown as the text that it is", () => {
    expect(rendered("<script>window.__pwned = 1</script>").textContent).toContain("<script>window.__pwned = 1</script>");
  });
});

describe("formulas", () => {
  const formulas = (source: string) => [...rendered(source).querySelectorAll(".maths")].map((place) => `${place.classList.contains("block") ? "block " : ""}${place.textContent}`);

  it.each([
    ["$a^2$ and \\(b_1\\)", ["a^2", "b_1"]],
    ["$$\na\n= b\n$$", ["block a\n= b"]],
    ["before\n\n\\[ x \\]\n\nafter", ["block x"]],
    ["in $$x + y$$ a line", ["x + y"]],
  ])("%j has %j", (source, found) => expect(formulas(source)).toEqual(found));

  it.each(["$5 and $10", "$5-$10", "from $5 to 10$ now", "US$ and A$", "$HOME/bin:$PATH", "`$x$`", "```\n$x$\n```", "a $ b $ c"])("%j has none", (source) => {
    expect(formulas(source)).toEqual([]);
    expect(rendered(source).textContent).toContain("$");
  });

  it("keep what markdown would read", () => expect(formulas("$a_1 * b_2 * c_3$ and $x<y$")).toEqual(["a_1 * b_2 * c_3", "x<y"]));
});

describe("footnotes", () => {
  it("are numbered as they are asked for, and stand at the end once", () => {
    const box = rendered("One[^b], two[^a], again[^b], none[^c].\n\n[^a]: The *first*\nand more.\n[^b]: The second.\n[^d]: Never asked for.");
    expect([...box.querySelectorAll(".mark")].map((mark) => mark.textContent)).toEqual(["1", "2", "1"]);
    expect([...box.querySelectorAll(".notes li")].map((item) => item.textContent)).toEqual(["The second.", "The first and more."]);
    expect(box.textContent).toContain("none[^c].");
    expect(box.textContent).not.toContain("Never");
  });

  it("of one text are not those of the next", () => {
    rendered("One[^a].\n\n[^a]: Here.");
    expect(rendered("Two[^a].").querySelector(".notes, .mark")).toBeNull();
  });
});

describe("images", () => {
  it("from elsewhere become links that say so", () => {
    const link = rendered("![A cat](https://cats.example/1.png)").querySelector("a");
    expect([link?.textContent, link?.getAttribute("href")]).toEqual(["Image: A cat (not loaded)", "https://cats.example/1.png"]);
  });

  it("that the text carries itself are shown", () => {
    const image = rendered("![dot](data:image/png;base64,iVBORw0KGgo=)").querySelector("img");
    expect([image?.getAttribute("src"), image?.alt]).toEqual(["data:image/png;base64,iVBORw0KGgo=", "dot"]);
  });
});

describe("ordinary markdown", () => {
  it("is what it means", () => {
    const box = rendered("# Title\n\nSome **bold**, *soft*, `code` and ~~old~~ words.\n\n1. one\n2. two\n\n> said\n\n---");
    const found = ["h3", "strong", "em", "code", "del", "ol", "blockquote", "hr"].filter((tag) => !box.querySelector(tag));
    expect(found).toEqual([]);
  });

  it("keeps safe links, opened without a way back", () => {
    const links = [...rendered("[a](https://a.example/?x=1&y=2) <mailto:b@b.example> http://c.example").querySelectorAll("a")];
    expect(links.map((link) => [link.getAttribute("href"), link.target, link.rel])).toEqual([
      ["https://a.example/?x=1&y=2", "_blank", "noopener noreferrer"],
      ["mailto:b@b.example", "_blank", "noopener noreferrer"],
      ["http://c.example", "_blank", "noopener noreferrer"],
    ]);
  });

  it("tells which links lead to files, and from which folder", () => {
    const box = rendered("[a](src/a.rs) [b](./my%20notes.txt#top) [c](/etc/passwd) [d](javascript:alert(1)) [e](//evil.example/x) [f](#here) [g](%00)");
    expect([...box.querySelectorAll<HTMLElement>(".file")].map(({ title, textContent }) => [title, textContent])).toEqual([["src/a.rs", "a"], ["./my notes.txt", "b"]]);
    expect(box.querySelector("a")).toBeNull();
    const paths: [string, string, string | undefined][] = [["", "src/a.rs", "src/a.rs"], ["docs", "../README.md", "README.md"], ["docs", "./b/../c.md", "docs/c.md"], ["docs", "../../x", undefined], ["", "..", undefined], ["a", "..", undefined]];
    for (const [folder, path, found] of paths) expect(pathFrom(folder, path)).toBe(found);
  });

  it("keeps the words of a link that is dropped", () => {
    const box = rendered("see [the page](/api/x) now");
    expect([box.textContent?.trim(), box.querySelector("a")]).toEqual(["see the page now", null]);
  });

  it("code is as it was written", () => {
    expect(rendered("```rust\nfn main() { println!(\"<b>&amp;\"); }\n```").querySelector("pre code")?.textContent).toBe('fn main() { println!("<b>&amp;"); }');
  });

  it("tables align, boxes are ticked, breaks break", () => {
    const box = rendered("| a | b |\n|---|--:|\n| x | 2 |\n\n- [x] done\n- [ ] open\n\none<br>two");
    expect(box.querySelector("td[align=right]")?.textContent).toBe("2");
    expect(box.querySelector("ul")?.textContent).toMatch(/☑ done\s*☐ open/);
    expect(box.querySelector("p > br")).not.toBeNull();
  });

  it("columns of numbers stand to the right, others where the table says", () => {
    const box = rendered("| name | n | share | mixed | said |\n|---|---|---|---|:-:|\n| a1 | 1,200.5 | 4 % | 3 | 1 |\n| b | -7 | | x | 2 |");
    expect([...box.querySelectorAll("tbody tr:first-child td")].map((cell) => cell.getAttribute("align"))).toEqual([null, "right", "right", null, "center"]);
    expect([...box.querySelectorAll("th")].map((cell) => cell.getAttribute("align"))).toEqual([null, "right", "right", null, "center"]);
  });

  it("headings go down one level at a time", () => {
    const levels = [...rendered("### a\n\n# b\n\n#### c\n\n## d").querySelectorAll("h2, h3, h4, h5, h6")].map(({ localName }) => localName);
    expect(levels).toEqual(["h3", "h3", "h4", "h4"]);
  });

  it("shows what cannot be seen", () => {
    expect(rendered("abc\u202Edef\u200B").textContent?.trim()).toBe("abc[U+202E]def[U+200B]");
  });
});

describe("plainWords", () => {
  it("is what a screen reader should say", () => {
    expect(plainWords("The **port** is `8080`.\n\n| a |\n|---|\n| 1 |")).toBe("The port is 8080. a1");
    expect(plainWords("x".repeat(900), 5)).toBe("xxxxx…");
  });
});
