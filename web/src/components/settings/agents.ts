//! `<sb-agents>`: the specialists, what is amiss with each, and a switch.

import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { agents, switchAgent, type Agent, type AgentList } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { visibleLine } from "../../text/visible";
import { Listing } from "./listing";

@customElement("sb-agents")
export class Agents extends Listing<AgentList> {
  protected override fetched(): Promise<AgentList> {
    return agents();
  }

  protected override view(list: AgentList) {
    return html`<p class="lead">${t.server.agentsLead}</p>
      <ul>
        ${list.agents.map((agent) => this.agent(agent))}
      </ul>
      ${list.problems.map((wrong) => html`<p class="amiss">${visibleLine(wrong, 600)}</p>`)}`;
  }

  private agent({ id, name, description, file, model, isPrimary, enabled, problem, warnings = [] }: Agent) {
    const shown = visibleLine(name, 64);
    const amiss = [...(enabled && problem ? [problem] : []), ...warnings];
    return html`<li>
      <div class="head">
        <strong>${shown}</strong>
        <span class="facts name">${visibleLine(id, 64)}</span>
        ${isPrimary
          ? html`<span class="facts end">${t.server.primary}</span>`
          : html`<label class="end"><input type="checkbox" role="switch" aria-label=${fill(t.server.switchThis, { agent: shown })} .checked=${enabled} @change=${(event: Event) => this.switch(id, event.target as HTMLInputElement)} /> ${enabled ? t.server.on : t.server.off}</label>`}
      </div>
      <p class="does">${visibleLine(description, 400)}</p>
      <p class="does facts">${visibleLine(file, 200)}${model ? ` · ${visibleLine(model, 100)}` : ""}</p>
      ${amiss.map((words) => html`<p class="amiss">${visibleLine(words, 400)}</p>`)}
    </li>`;
  }

  private switch(id: string, box: HTMLInputElement): void {
    const { checked } = box;
    // Until the server has said so, it is as it was.
    box.checked = !checked;
    void this.take(switchAgent(id, checked));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-agents": Agents;
  }
}
