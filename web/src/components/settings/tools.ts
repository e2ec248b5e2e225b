//! `<sb-tools>`: the tools that the agent has, module by module, with what each may do and how often it was called; and
//! the MCP servers.

import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { mcpServers, tools, toolUsage, type McpServer, type Tool, type ToolUsage } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { count, duration } from "../../text/format";
import { visibleLine } from "../../text/visible";
import { ask } from "../events";
import { serverState } from "../mcp/mcp";
import { Listing } from "./listing";

/** The tools, how often each was called, and the MCP servers. */
interface Found {
  all: readonly Tool[];
  used: ReadonlyMap<string, ToolUsage>;
  servers: readonly McpServer[];
}

@customElement("sb-tools")
export class Tools extends Listing<Found> {
  @state() private filter = "";

  protected override async fetched(): Promise<Found> {
    const [all, used, servers] = await Promise.all([tools(), toolUsage(), mcpServers()]);
    return { all, used: new Map(used.map((each) => [each.tool, each])), servers };
  }

  protected override view({ all, used, servers }: Found) {
    const shown = all.filter((tool) => this.fits(tool));
    return html`<label class="label" for="filter">${t.server.filter}</label>
      <input id="filter" class="field" type="search" autocomplete="off" spellcheck="false" @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
      <p class="facts" role="status">${shown.length < all.length ? fill(t.server.some, { shown: shown.length, tools: count(all.length, t.work.tool) }) : count(all.length, t.work.tool)}</p>
      ${this.filter === "" ? this.mcp(servers) : nothing} ${byModule(shown).map(([module, tools]) => this.module(module, tools, used))}`;
  }

  private module(module: string, tools: readonly Tool[], used: Found["used"]) {
    return html`<h3>${visibleLine(module, 64)}</h3>
      <ul>
        ${tools.map((tool) => this.tool(tool, used.get(tool.name)))}
      </ul>`;
  }

  private tool({ name, risk, function: { description } }: Tool, used: ToolUsage | undefined) {
    return html`<li>
      <div class="head">
        <span class="name">${visibleLine(name, 64)}</span>
        <span class="risk">${t.asking.risks[risk]}</span>
        <span class="facts end">${usage(used)}</span>
      </div>
      <p class="does">${visibleLine(description, 400)}</p>
    </li>`;
  }

  private mcp(servers: readonly McpServer[]) {
    if (servers.length === 0) return nothing;
    return html`<h3>${t.side.servers}</h3>
      <ul>
        ${servers.map((server) => this.server(server))}
      </ul>`;
  }

  private server(server: McpServer) {
    const { name, state, fault, address } = server;
    const shown = visibleLine(name, 64);
    return html`<li>
      <div class="head">
        <span class="name">${shown}</span>
        <span class="facts">${serverState(server)}</span>
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
}

/** In the order in which the modules come. */
function byModule(tools: readonly Tool[]): [string, Tool[]][] {
  const modules = new Map<string, Tool[]>();
  for (const tool of tools) {
    const others = modules.get(tool.module);
    if (others) others.push(tool);
    else modules.set(tool.module, [tool]);
  }
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
