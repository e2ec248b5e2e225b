//! `<sb-login>`: asks for the server's access token. The token goes to the server once, which answers with a
//! cookie that scripts cannot read; the page keeps nothing.

import { css, html, LitElement, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { ApiError, login } from "../../connection/api";
import { base, buttons, fields } from "../../theme/base";
import { visible } from "../../text/visible";
import "../dialog/dialog";
import { ask } from "../events";

@customElement("sb-login")
export class Login extends LitElement {
  static override styles = [
    base,
    buttons,
    fields,
    css`
      p.lead {
        margin: 0 0 1rem;
        color: var(--muted);
      }
      .button {
        margin-top: 1rem;
      }
    `,
  ];

  @state() private problem = "";
  @state() private sending = false;
  @query("input") private token!: HTMLInputElement;

  override render() {
    return html`<sb-dialog heading=${t.dialogs.login.title} fixed>
      <p class="lead">${t.dialogs.login.lead}</p>
      <form @submit=${this.submit}>
        <label class="label" for="token">${t.dialogs.login.token}</label>
        <input id="token" class="field" type="password" autocomplete="current-password" autofocus required aria-describedby="problem" />
        ${this.problem ? html`<p class="problem" id="problem" role="alert">${visible(this.problem)}</p>` : nothing}
        <button class="button primary" ?disabled=${this.sending}>${t.dialogs.login.title}</button>
      </form>
    </sb-dialog>`;
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    this.sending = true;
    this.problem = "";
    try {
      await login(this.token.value.trim());
      ask(this, "sb-logged-in", {});
    } catch (error) {
      const wrong = error instanceof ApiError && error.status === 401;
      this.problem = wrong ? t.dialogs.login.wrong : (error as Error).message;
    } finally {
      this.sending = false;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-login": Login;
  }
}
