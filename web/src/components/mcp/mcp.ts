//! `<sb-mcp>`: the MCP servers and how they are, under the variables; nothing while there are none. It asks again while
//! it is seen, because servers come and go beside the session's events.

import { css, html, LitElement, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { mcpServers, type McpServer } from "../../connection/api";
import { base, buttons } from "../../theme/base";
import { count } from "../../text/format";
import { visibleLine } from "../../text/visible";
import { ask } from "../events";

/** How often to ask again, in milliseconds. */
const AGAIN = 5000;

/** How a server is, in a few words. */
export function serverState({ state, tools }: McpServer): string {
  return `${t.side.states[state]}${state === "ready" ? fill(t.side.withTools, { tools: count(tools.length, t.work.tool) }) : ""}`;
}

@customElement("sb-mcp")
export class Mcp extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      h3 {
        margin: 1.4rem 0.3rem 0.4rem;
        font-size: 0.88rem;
        font-weight: 600;
      }
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        padding: 0.4rem 0.3rem;
        border-top: 1px solid var(--line);
        font-size: 0.86rem;
        overflow-wrap: anywhere;
      }
      .name {
        font: 600 0.86rem/1.5 var(--mono);
      }
      .facts {
        color: var(--muted);
      }
      .attention {
        color: var(--text);
        font-weight: 600;
      }
    `,
  ];

  @state() private servers: McpServer[] = [];
  private timer?: ReturnType<typeof setInterval>;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
    this.timer = setInterval(() => void this.look(), AGAIN);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override render() {
    if (this.servers.length === 0) return nothing;
    return html`<h3>${t.side.servers}</h3>
      <ul>
        ${this.servers.map((server) => this.item(server))}
      </ul>`;
  }

  private item(server: McpServer) {
    const { name, state, changed, fault, address } = server;
    return html`<li title=${visibleLine(address, 300)}>
      <span class="name">${visibleLine(name, 64)}</span>
      <span class="facts">${serverState(server)}</span>
      ${fault && state !== "ready" ? html`<div class="facts">${visibleLine(fault, 300)}</div>` : nothing}
      ${changed.length > 0
        ? html`<button class="link-button attention" @click=${() => ask(this, "sb-settings", { part: "tools" })}>${fill(t.side.changed, { tools: count(changed.length, t.work.tool) })}</button>`
        : nothing}
    </li>`;
  }

  private async look(): Promise<void> {
    if (document.visibilityState === "hidden") return;
    // What cannot be asked now is asked again soon; what was known stays.
    this.servers = await mcpServers().catch(() => this.servers);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-mcp": Mcp;
  }
}
