//! The hidden frame in which diagrams are drawn: one for all of them, made with the first. It has no origin, and its answers
//! are taken from its own window only and held against limits. A diagram that takes too long costs the frame its life.

import { forget, hasStopped, remember } from "./stopped";
import type { DrawAnswer, DrawRequest, FrameReady, Look } from "../frame/messages";

/** How long a drawing may take, in milliseconds; loading the library counts once. */
const DRAW_MS = 10_000;
const LOAD_MS = 20_000;
/** The longest drawing, in characters, and the largest size, in pixels. */
const LONGEST_SVG = 2_000_000;
const LARGEST = 20_000;
/** How much is kept for when it is asked for again, in characters. */
const MOST_KEPT = 8_000_000;

/** A drawing, or why there is none. */
export type Drawn = { svg: string; width: number; height: number; title: string; kind: string } | { problem: string } | { fault: "leftOut" | "slow" | "large" | "stopped" };

let frame: HTMLIFrameElement | undefined;
let ready: Promise<boolean> | undefined;
let last = 0;
let before: Promise<unknown> = Promise.resolve();
const kept = new Map<string, Drawn>();
let keptSize = 0;

/** Draws a diagram, after those that were asked for before it. */
export async function draw(source: string, look: Look): Promise<Drawn> {
  const key = JSON.stringify([source, look]);
  const turn = before.then(async () => kept.get(key) ?? (await drawNow(source, look)));
  before = turn.catch(() => undefined);
  const drawn = await turn;
  if ("fault" in drawn || kept.has(key)) return drawn;
  const length = key.length + ("svg" in drawn ? drawn.svg.length : 0);
  if (keptSize + length > MOST_KEPT) {
    kept.clear();
    keptSize = 0;
  }
  kept.set(key, drawn);
  keptSize += length;
  return drawn;
}

async function drawNow(source: string, look: Look): Promise<Drawn> {
  if (hasStopped(source)) return { fault: "stopped" };
  ready ??= load();
  if (!(await ready)) return giveUp();
  const id = (last += 1);
  remember(source);
  const answer = await heard<DrawAnswer>((data) => data.id === id, DRAW_MS, () => frame?.contentWindow?.postMessage({ id, source, look } satisfies DrawRequest, "*"));
  forget();
  return answer ? checked(answer) : giveUp();
}

/** Makes the frame; whether it is ready to draw. */
async function load(): Promise<boolean> {
  const made = document.createElement("iframe");
  // Without `allow-same-origin`: it has no origin and reaches nothing of the page.
  made.setAttribute("sandbox", "allow-scripts");
  made.ariaHidden = "true";
  made.tabIndex = -1;
  made.src = "/frame/mermaid.html";
  // It has to have a size, or nothing in it could be measured.
  Object.assign(made.style, { position: "fixed", top: "0", left: "-3000px", width: "1200px", height: "800px", border: "0", visibility: "hidden" });
  frame = made;
  return (await heard<FrameReady>((data) => data.ready === true, LOAD_MS, () => document.body.append(made))) !== undefined;
}

/** What the frame says next of what is waited for; nothing if it takes too long. */
function heard<T extends object>(isMeant: (data: Partial<T>) => boolean, most: number, begin: () => void): Promise<T | undefined> {
  return new Promise((done) => {
    const end = (data?: T) => {
      clearTimeout(timer);
      removeEventListener("message", listen);
      done(data);
    };
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      if (!frame || source !== frame.contentWindow || typeof data !== "object" || data === null) return;
      if (isMeant(data as Partial<T>)) end(data as T);
    };
    const timer = setTimeout(end, most);
    addEventListener("message", listen);
    begin();
  });
}

/** The frame is thrown away; the next diagram gets another. */
function giveUp(): Drawn {
  frame?.remove();
  frame = ready = undefined;
  return { fault: "slow" };
}

/** Takes from an answer what it may say. */
function checked(answer: DrawAnswer): Drawn {
  if ("leftOut" in answer) return { fault: "leftOut" };
  if ("problem" in answer) return typeof answer.problem === "string" ? { problem: answer.problem.slice(0, 1000) } : { fault: "large" };
  const { svg, width, height, title, kind } = answer;
  const isText = [svg, title, kind].every((text) => typeof text === "string");
  const fits = isText && svg.length <= LONGEST_SVG && svg.startsWith("<svg") && [width, height].every((length) => typeof length === "number" && length > 0 && length <= LARGEST);
  return fits ? { svg, width, height, title: title.slice(0, 200), kind: kind.slice(0, 40) } : { fault: "large" };
}
