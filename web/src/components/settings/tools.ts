//! `<sb-tools>`: the tools that the agent has, module by module, with what each may do and how often it was called; and
//! the MCP servers.

import { html, LitElement, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { mcpServers, tools, toolUsage, type McpServer, type Tool, type ToolUsage } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { base, buttons, fields } from "../../theme/base";
import { count, duration } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { ask } from "../events";
import { styles } from "./listing.styles";

const STATES: Record<McpServer["state"], string> = t.side.states;

@customElement("sb-tools")
export class Tools extends LitElement {
  static override styles = [base, buttons, fields, styles];

  @state() private all?: readonly Tool[];
  @state() private servers: readonly McpServer[] = [];
  @state() private problem = "";
  @state() private filter = "";
  private used: ReadonlyMap<string, ToolUsage> = new Map();

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  override render() {
    const { all, problem } = this;
    if (problem) return html`<p class="problem" role="alert">${visible(problem)}</p>`;
    if (!all) return html`<p class="lead">${t.work.loading}</p>`;
    const shown = all.filter((tool) => this.fits(tool));
    return html`<label class="label" for="filter">${t.server.filter}</label>
      <input id="filter" class="field" type="search" autocomplete="off" spellcheck="false" @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
      <p class="facts" role="status">${shown.length < all.length ? fill(t.server.some, { shown: shown.length, tools: count(all.length, t.work.tool) }) : count(all.length, t.work.tool)}</p>
      ${this.filter === "" ? this.mcp() : nothing} ${byModule(shown).map(([module, tools]) => this.module(module, tools))}`;
  }

  private module(module: string, tools: readonly Tool[]) {
    return html`<h3>${visibleLine(module, 64)}</h3>
      <ul>
        ${tools.map((tool) => this.tool(tool))}
      </ul>`;
  }

  private tool({ name, risk, function: { description } }: Tool) {
    return html`<li>
      <div class="head">
        <span class="name">${visibleLine(name, 64)}</span>
        <span class="risk">${t.asking.risks[risk]}</span>
        <span class="facts end">${usage(this.used.get(name))}</span>
      </div>
      <p class="does">${visibleLine(description, 400)}</p>
    </li>`;
  }

  private mcp() {
    if (this.servers.length === 0) return nothing;
    return html`<h3>${t.side.servers}</h3>
      <ul>
        ${this.servers.map((server) => this.server(server))}
      </ul>`;
  }

  private server({ name, state, tools, fault, address }: McpServer) {
    const shown = visibleLine(name, 64);
    return html`<li>
      <div class="head">
        <span class="name">${shown}</span>
        <span class="facts">${STATES[state]}${state === "ready" ? fill(t.side.withTools, { tools: count(tools.length, t.work.tool) }) : ""}</span>
        ${state === "disabled"
          ? nothing
          : html`<button class="link-button end" aria-label=${fill(t.server.restartThis, { server: shown })} title=${t.server.restartHint} @click=${() => this.restart(name)}>${t.server.restart}</button>`}
      </div>
      <p class="does facts">${visibleLine(address, 300)}</p>
      ${fault && state !== "ready" ? html`<p class="amiss">${visibleLine(fault, 300)}</p>` : nothing}
    </li>`;
  }

  /** The command is answered in the conversation. */
  private restart(name: string): void {
    ask(this, "sb-send", { text: ["/mcp", "restart", name].join(" "), mode: "queue" });
    ask(this, "sb-close", {});
  }

  private fits({ name, module, function: { description } }: Tool): boolean {
    const text = `${name} ${module} ${description}`.toLowerCase();
    return this.filter.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  }

  private async look(): Promise<void> {
    try {
      const [all, used, servers] = await Promise.all([tools(), toolUsage(), mcpServers()]);
      this.used = new Map(used.map((each) => [each.tool, each]));
      this.servers = servers;
      this.all = all;
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }
}

/** In the order in which the modules come. */
function byModule(tools: readonly Tool[]): [string, Tool[]][] {
  const modules = new Map<string, Tool[]>();
  for (const tool of tools) modules.set(tool.module, [...(modules.get(tool.module) ?? []), tool]);
  return [...modules];
}

function usage(used: ToolUsage | undefined): string {
  if (!used || used.calls === 0) return t.server.unused;
  const parts = [count(used.calls, t.server.call)];
  if (used.failures > 0) parts.push(fill(t.work.failed, { n: used.failures }));
  if (used.p50Ms !== undefined) parts.push(duration(used.p50Ms));
  return parts.join(" · ");
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-tools": Tools;
  }
}
