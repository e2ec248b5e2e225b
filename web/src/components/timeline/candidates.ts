//! The tools that were weighed at one step, with what speaks for each, and a button that runs the same request with
//! another one.

import { html, nothing } from "lit";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { Candidate } from "../../protocol/generated";
import type { StepItem, Thought } from "../../state/chat";
import { count } from "../../text/format";
import { visibleLine } from "../../text/visible";
import { chevronIcon } from "../icons";

/** The steps that show their candidates: where a choice was made from them, the search before it need not. */
export function showing(steps: readonly StepItem[]): ReadonlySet<string> {
  const thoughts = steps.filter((step): step is Thought => step.kind === "thought" && Boolean(step.frame.candidates?.length));
  const shown = thoughts.filter((step, at) => step.frame.step !== "searching" || thoughts[at + 1]?.frame.step !== "selecting");
  return new Set(shown.map(({ id }) => id));
}

/** The list; without `take` nothing can be picked. */
export function candidateList({ frame }: Thought, take?: (tool: string) => void) {
  const found = frame.candidates ?? [];
  const chosen = new Set(frame.selected ?? []);
  const others = found.filter(({ name }) => !chosen.has(name));
  return html`<details class="found">
    <summary>${chevronIcon}<span>${heading(found, others)}</span></summary>
    <ul class="candidates">
      ${found.map((tool) => candidate(tool, chosen.has(tool.name), take))}
    </ul>
  </details>`;
}

function candidate(tool: Candidate, chosen: boolean, take?: (tool: string) => void) {
  const name = visibleLine(tool.name, 64);
  return html`<li>
    <span class="name">${name}</span>
    <span class="percent">${percent(tool)}</span>
    ${chosen
      ? html`<span class="chosen">${t.work.chosen}</span>`
      : take
        ? html`<button class="try acts" aria-label=${fill(t.work.tryThisOne, { tool: name })} @click=${() => take(tool.name)}>${t.work.tryThis}</button>`
        : nothing}
    <span class="reasons">${visibleLine(tool.reasons.join(", "), 300)}</span>
  </li>`;
}

function heading(found: readonly Candidate[], others: readonly Candidate[]): string {
  const first = (tools: readonly Candidate[]) => tools.slice(0, 2).map((tool) => `${visibleLine(tool.name, 40)} ${percent(tool)}`).join(" · ");
  if (others.length === 0) return fill(t.work.whyThis, { tools: first(found) });
  const words = others.length === found.length ? count(found.length, t.work.tool) : count(others.length, t.work.otherTool);
  return `${words}: ${first(others)}${others.length > 2 ? " · …" : ""}`;
}

function percent({ confidence }: Candidate): string {
  return `${Math.round(confidence * 100)} %`;
}
