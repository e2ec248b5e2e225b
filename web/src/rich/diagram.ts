//! Diagrams of a reply: the block of code gives way to its drawing, and comes back by a button. What cannot be drawn stays
//! as it was written, with a line that says why. Drawings follow the page's colors.

import { css } from "lit";
import { t } from "../i18n";
import { fill } from "../i18n/fill";
import type { Look } from "../frame/messages";
import { isDark, watchScheme, type SchemeWatcher } from "../theme/dark";
import { visibleLine } from "../text/visible";
import { draw, type Drawn } from "./frame";

/** How many diagrams of a reply are drawn, and how long the text of one may be. */
const MOST = 20;
const LONGEST = 20_000;

const rules = css`
  .drawing {
    padding: 0.4rem 0.85rem 0.85rem;
    overflow: auto;
  }
  .drawing img {
    display: block;
    width: auto;
    max-width: 100%;
    min-width: calc(0.6 * var(--width));
    height: auto;
    margin: 0 auto;
    border-radius: 0;
  }
  .head button:not(:last-child) {
    margin-inline-start: auto;
  }
  .not-drawn {
    margin: 0;
    padding: 0 0.85rem 0.6rem;
    color: var(--danger);
    font-size: 0.86rem;
  }
`.styleSheet as CSSStyleSheet;

/** Draws the diagrams of these blocks. */
export function drawDiagrams(blocks: readonly HTMLElement[], root: ShadowRoot): void {
  if (!root.adoptedStyleSheets.includes(rules)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, rules];
  blocks.forEach((block, at) => {
    const diagram = new Diagram(block);
    if (at >= MOST) diagram.refuse(fill(t.reply.diagramMany, { n: String(MOST) }));
    else if (diagram.source.length > LONGEST) diagram.refuse(t.reply.diagramLarge);
    else void diagram.show();
  });
}

class Diagram implements SchemeWatcher {
  readonly source: string;
  private readonly frame: HTMLElement;
  private readonly text: HTMLElement;
  private readonly drawing = document.createElement("div");
  private readonly button = document.createElement("button");
  private readonly image = document.createElement("img");

  constructor(block: HTMLElement) {
    this.source = block.textContent ?? "";
    this.text = block.closest("pre") ?? block;
    this.frame = this.text.closest(".code") ?? this.text;
    this.drawing.className = "drawing";
    this.drawing.tabIndex = 0;
    this.drawing.role = "group";
    this.drawing.ariaLabel = t.reply.diagram;
    this.drawing.append(this.image);
    this.button.type = "button";
    this.button.textContent = t.windows.asText;
    this.button.addEventListener("click", () => this.turn(this.text.hidden === true));
  }

  /** Draws it in the colors of the page, and again when they change. */
  async show(): Promise<void> {
    const dark = isDark();
    const drawn = await draw(this.source, lookOf(dark));
    if ("svg" in drawn) this.set(drawn);
    else return this.refuse(reason(drawn));
    watchScheme(this);
    if (dark !== isDark()) this.turned();
  }

  /** The page has other colors now. */
  turned(): void {
    void draw(this.source, lookOf(isDark())).then((drawn) => ("svg" in drawn ? this.set(drawn) : undefined));
  }

  /** Says why it is not drawn; its text is there. */
  refuse(why: string): void {
    const line = document.createElement("p");
    line.className = "not-drawn";
    line.role = "note";
    line.textContent = why;
    this.frame.append(line);
  }

  private set({ svg, width, title, kind }: Extract<Drawn, { svg: string }>): void {
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const { image } = this;
    image.onload = image.onerror = () => URL.revokeObjectURL(address);
    image.src = address;
    image.alt = visibleLine(title || fill(t.reply.diagramOf, { kind: kind.replace(/-v2$|Diagram$/g, "") }), 200);
    image.style.setProperty("--width", `${Math.ceil(width)}px`);
    if (this.drawing.isConnected) return;
    this.text.before(this.drawing);
    this.frame.querySelector(".head > :last-child")?.before(this.button);
    this.turn(false);
  }

  private turn(asText: boolean): void {
    this.text.hidden = !asText;
    this.drawing.hidden = asText;
    this.button.ariaPressed = String(asText);
  }
}

/** How the page looks now. */
function lookOf(dark: boolean): Look {
  const probe = document.createElement("span");
  document.body.append(probe);
  const color = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const look = {
    dark,
    font: getComputedStyle(probe).fontFamily,
    ground: color("sunken"),
    text: color("text"),
    line: color("muted"),
    accent: color("accent"),
    fill: color("accent-soft"),
    other: color("warn-soft"),
    third: color("bubble"),
  };
  probe.remove();
  return look;
}

/** The one line that says why. */
function reason(drawn: Exclude<Drawn, { svg: string }>): string {
  if ("problem" in drawn) return fill(t.reply.diagramWrong, { problem: visibleLine(drawn.problem.split("\n", 1)[0]?.replace(/[:.]\s*$/, "") ?? "", 160) });
  return { leftOut: t.reply.diagramUnknown, slow: t.reply.diagramSlow, large: t.reply.diagramLarge, stopped: t.reply.diagramStopped }[drawn.fault];
}
