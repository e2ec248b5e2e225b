//! Runs in a frame without an origin, whose headers let it do nothing but draw: it gets the text of a diagram from the page
//! and gives back an SVG, one at a time. Whatever a diagram talks the library into stays here.

import mermaid, { type MermaidConfig } from "mermaid";
import type { DrawAnswer, DrawRequest, FrameReady, Look } from "./messages";

/** What a diagram must not set for itself. */
const SECURE = ["secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "suppressErrorRendering", "htmlLabels", "themeCSS", "fontFamily", "altFontFamily", "layout", "dompurifyConfig"];

/** Labels as text of the SVG, not as HTML in it, and as large as it is. */
const PLAIN = { htmlLabels: false, useMaxWidth: false };

const config = (look: Look): MermaidConfig => ({
  startOnLoad: false,
  securityLevel: "strict",
  suppressErrorRendering: true,
  secure: SECURE,
  maxEdges: 500,
  layout: "dagre",
  look: "classic",
  htmlLabels: false,
  flowchart: PLAIN,
  class: PLAIN,
  state: { useMaxWidth: false },
  sequence: { useMaxWidth: false },
  er: { useMaxWidth: false },
  gantt: { useMaxWidth: false, useWidth: 900 },
  pie: { useMaxWidth: false },
  journey: { useMaxWidth: false, textPlacement: "tspan" },
  gitGraph: { useMaxWidth: false },
  timeline: { useMaxWidth: false },
  mindmap: { useMaxWidth: false },
  quadrantChart: { useMaxWidth: false },
  xyChart: { useMaxWidth: false },
  requirement: { useMaxWidth: false },
  kanban: { useMaxWidth: false },
  sankey: { useMaxWidth: false },
  block: { useMaxWidth: false },
  c4: { useMaxWidth: false },
  theme: "base",
  darkMode: look.dark,
  fontFamily: look.font,
  themeVariables: {
    darkMode: look.dark,
    background: look.ground,
    primaryColor: look.fill,
    primaryBorderColor: look.accent,
    primaryTextColor: look.text,
    secondaryColor: look.other,
    tertiaryColor: look.third,
    lineColor: look.line,
    textColor: look.text,
    titleColor: look.text,
    noteBkgColor: look.other,
    noteTextColor: look.text,
  },
});

async function draw({ id, source, look }: DrawRequest): Promise<DrawAnswer> {
  try {
    mermaid.initialize(config(look));
    const { svg, diagramType } = await mermaid.render(`diagram-${id}`, source);
    return { id, kind: diagramType, ...asImage(svg, look) };
  } catch (error) {
    document.body.replaceChildren();
    const { message, name } = error as Error;
    return name === "LeftOut" ? { id, leftOut: true } : { id, problem: message };
  }
}

/** The SVG as a picture is written: well-formed, and with a size of its own. */
function asImage(svg: string, look: Look): { svg: string; width: number; height: number; title: string } {
  const holder = document.createElement("div");
  holder.innerHTML = svg;
  const root = holder.querySelector("svg") as SVGSVGElement;
  // Labels of a journey that are text take the color of their boxes from this class.
  for (const label of root.querySelectorAll("text:is(.task, .journey-section)")) {
    label.removeAttribute("class");
    label.setAttribute("fill", look.text);
  }
  const { width, height } = root.viewBox.baseVal;
  root.setAttribute("width", String(width));
  root.setAttribute("height", String(height));
  return { svg: new XMLSerializer().serializeToString(root), width, height, title: root.querySelector("title")?.textContent ?? "" };
}

let before = Promise.resolve();

addEventListener("message", ({ source, data }: MessageEvent<DrawRequest>) => {
  if (source !== parent) return;
  before = before.then(async () => parent.postMessage(await draw(data), "*"));
});
parent.postMessage({ ready: true } satisfies FrameReady, "*");
