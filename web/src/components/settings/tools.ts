//! `<sb-tools>`: the tools that the agent has, module by module, with what each may do and how often it was called; and
//! the MCP servers with their switches, and their tools that wait for an approval.

import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { changeMcpServer, mcpServers, tools, toolUsage, type ChangedTool, type McpServer, type Tool, type ToolUsage } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { count, duration } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { ask } from "../events";
import { serverState } from "../mcp/mcp";
import { Listing } from "./listing";

/** How soon a server that starts is asked about again, in milliseconds. */
const AGAIN = 1000;

/** The tools, how often each was called, and the MCP servers. */
interface Found {
  all: readonly Tool[];
  used: ReadonlyMap<string, ToolUsage>;
  servers: readonly McpServer[];
}

@customElement("sb-tools")
export class Tools extends Listing<Found> {
  @state() private filter = "";
  /** What was done. */
  @state() private done = "";
  private again?: ReturnType<typeof setTimeout>;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.again);
  }

  /** One that starts is ready soon. */
  override updated(): void {
    clearTimeout(this.again);
    if (this.isConnected && this.list?.servers.some(isStarting)) this.again = setTimeout(() => void this.poll(), AGAIN);
  }

  /** Its tools are there once it has started. */
  private async poll(): Promise<void> {
    const { newest } = this;
    const servers = await mcpServers().catch(() => []);
    if (newest !== this.newest || !this.list) return;
    if (servers.some(isStarting)) this.list = { ...this.list, servers };
    else void this.take(this.fetched(), this.problem);
  }

  /** The servers first: of one that is ready then, the tools are there. */
  protected override async fetched(): Promise<Found> {
    const servers = await mcpServers();
    const [all, used] = await Promise.all([tools(), toolUsage()]);
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
      <p class="hidden-text" role="status">${this.done}</p>
      <ul>
        ${servers.map((server) => this.server(server))}
      </ul>`;
  }

  private server(server: McpServer) {
    const { name, state, fault, address, changed } = server;
    const shown = visibleLine(name, 64);
    const on = state !== "off" && state !== "disabled";
    return html`<li>
      <div class="head">
        <span class="name">${shown}</span>
        <span class="facts">${serverState(server)}</span>
        ${on ? html`<button class="link-button end" aria-label=${fill(t.server.restartThis, { server: shown })} title=${t.server.restartHint} @click=${() => this.restart(name)}>${t.server.restart}</button>` : nothing}
        <label class=${on ? "" : "end"}>
          <input type="checkbox" role="switch" data-server=${name} aria-label=${fill(t.server.useServer, { server: shown })} ?disabled=${state === "disabled"} .checked=${live(on)} @change=${(event: Event) => this.switch(name, event.target as HTMLInputElement)} />
          ${on ? t.server.on : t.server.off}
        </label>
      </div>
      <p class="does facts">${visibleLine(address, 300)}</p>
      ${fault && state !== "ready" ? html`<p class="amiss">${visibleLine(fault, 300)}</p>` : nothing}
      ${changed.map((tool) => this.heldBack(name, tool))}
    </li>`;
  }

  /** What the tool says of itself is the server's text, so it is shown as such. */
  private heldBack(server: string, { tool, before, now, definition }: ChangedTool) {
    const shown = visibleLine(tool, 64);
    return html`<div class="held">
      <p class="amiss">${fill(t.server.heldBack, { tool: shown })}</p>
      ${before === now
        ? html`<p class="does">${t.server.sameWords}</p>`
        : html`<dl><dt>${t.server.before}</dt><dd>${visible(before)}</dd><dt>${t.server.now}</dt><dd>${visible(now)}</dd></dl>`}
      <button class="button" aria-label=${fill(t.server.approveThis, { tool: shown })} @click=${() => void this.approve(server, tool, definition)}>${t.server.approve}</button>
    </div>`;
  }

  /** Its button goes, and leaves the keyboard to the switch of the server. */
  private async approve(server: string, tool: string, definition: string): Promise<void> {
    if (!(await this.change(server, { approve: definition }))) return;
    this.done = fill(t.server.approved, { tool: visibleLine(tool, 64) });
    await this.updateComplete;
    [...this.renderRoot.querySelectorAll<HTMLElement>("[role=switch]")].find(({ dataset }) => dataset.server === server)?.focus();
  }

  private switch(server: string, box: HTMLInputElement): void {
    const enabled = box.checked;
    // Until the server has said so, it is as it was.
    box.checked = !enabled;
    void this.change(server, { enabled });
  }

  /** Shows what there is then, also when it is refused: something else has changed. Whether it was done. */
  private async change(server: string, change: Parameters<typeof changeMcpServer>[1]): Promise<boolean> {
    this.done = "";
    const problem = await changeMcpServer(server, change).then(() => "", (error: Error) => error.message);
    await this.take(this.fetched(), problem);
    return problem === "";
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

function isStarting({ state }: McpServer): boolean {
  return state === "starting";
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
