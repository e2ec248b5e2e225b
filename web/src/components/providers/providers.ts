//! `<sb-providers>`: the language model in use, and a form that takes another: a provider, its address, its key, a model.
//! The server tries it with one live call and keeps it only if it answers; a key that was given is never shown again.

import { css, html, LitElement, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { ApiError, chooseProvider, forgetProvider, providers, type Provider, type ProviderList } from "../../connection/api";
import { base, buttons, fields } from "../../theme/base";
import { count } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";

/** Those that are looked for on the server's machine. */
const LOCAL = ["ollama", "llamacpp"];

@customElement("sb-providers")
export class Providers extends LitElement {
  static override styles = [
    base,
    buttons,
    fields,
    css`
      .found {
        padding: 0.6rem 0.8rem;
        border: 1px solid var(--line);
        border-radius: var(--radius-small);
        background: var(--sunken);
      }
      h3 {
        margin: 0 0 0.5rem;
        font-size: 0.95rem;
        font-weight: 600;
      }
      p {
        margin: 0 0 0.8rem;
        font-size: 0.9rem;
        overflow-wrap: anywhere;
      }
      .row {
        margin-bottom: 0.75rem;
      }
      [aria-invalid] {
        border-color: var(--danger);
      }
      .hint {
        margin: 0.25rem 0 0;
        color: var(--muted);
        font-size: 0.82rem;
      }
      .outcome p {
        margin: 0 0 0.75rem;
      }
      .outcome p:empty {
        display: none;
      }
      .done {
        color: var(--accent);
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
      }
      .field {
        min-height: 38px;
      }
      @media (pointer: coarse) {
        .field {
          min-height: 44px;
          font-size: 16px;
        }
      }
    `,
  ];

  @state() private list?: ProviderList;
  @state() private chosen = "";
  @state() private problem = "";
  /** The field of the request that the problem is about. */
  @state() private wrong?: string;
  @state() private done = "";
  @state() private trying = false;
  @query("#base-url") private baseUrl?: HTMLInputElement;
  @query("#api-key") private apiKey!: HTMLInputElement;
  @query("#model") private model!: HTMLInputElement;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look(true);
  }

  override render() {
    const { list, provider } = this;
    if (!list || !provider) return this.problem ? html`<p class="problem" role="alert">${visible(this.problem)}</p>` : html`<p>${t.work.loading}</p>`;
    return html`<h3>${t.dialogs.model.title}</h3>
      <p>${standing(list)}</p>
      ${this.local(list.providers)}
      <form @submit=${this.submit}>
        <div class="row">
          <label class="label" for="provider">${t.dialogs.model.provider}</label>
          <select id="provider" class="field" aria-invalid=${this.invalid("provider")} @change=${this.changed}>
            ${list.providers.map((entry) => html`<option value=${entry.id} .selected=${live(entry.id === provider.id)}>${entry.name}${found(entry)}</option>`)}
          </select>
        </div>
        ${this.address(provider)}
        <div class="row">
          <label class="label" for="api-key">${provider.needsKey ? t.dialogs.model.key : t.dialogs.model.keyIfNeeded}</label>
          <input id="api-key" class="field" type="password" autocomplete="off" maxlength="1024" aria-invalid=${this.invalid("apiKey")} aria-describedby="key-hint" />
          <p class="hint" id="key-hint">${keyHint(provider)}</p>
        </div>
        <div class="row">
          <label class="label" for="model">${t.dialogs.model.model}</label>
          <input id="model" class="field" list="models" aria-invalid=${this.invalid("model")} maxlength="200" autocomplete="off" spellcheck="false" placeholder=${provider.defaultModel ?? t.dialogs.model.first} />
          <datalist id="models">${provider.models.map((name) => html`<option value=${name}></option>`)}</datalist>
        </div>
        <div class="outcome">
          ${this.problem ? html`<p class="problem" role="alert">${visible(this.problem)}</p>` : nothing}
          <p class="done" role="status">${visible(this.done)}</p>
        </div>
        <div class="buttons">
          <button class="button primary" ?disabled=${this.trying}>${this.trying ? t.dialogs.model.testing : t.dialogs.model.test}</button>
          ${provider.keyFrom === "stored" || (provider.active && provider.keyFrom === "none")
            ? html`<button type="button" class="button" ?disabled=${this.trying} @click=${this.forget}>${t.dialogs.model.remove}</button>`
            : nothing}
        </div>
      </form>`;
  }

  /** On a small screen the outcome would stand below what is seen. */
  override updated(): void {
    if (this.problem || this.done) this.renderRoot.querySelector(".buttons")?.scrollIntoView?.({ block: "nearest" });
  }

  /** What answers on this machine. */
  private local(providers: readonly Provider[]) {
    const found = providers.filter(({ id, models, active }) => LOCAL.includes(id) && models.length > 0 && !active);
    if (found.length === 0) return nothing;
    return html`<p class="found">
      ${t.dialogs.model.foundHere}
      ${found.map(({ id, name, models }) => html`<button class="link-button" @click=${() => this.choose(id)}>${name} (${count(models.length, t.dialogs.model.models)})</button> `)}
    </p>`;
  }

  /** Only those that may be anywhere are asked where they are. */
  private address({ id, baseUrl, needsKey }: Provider) {
    if (needsKey) return nothing;
    return html`<div class="row">
      <label class="label" for="base-url">${t.dialogs.model.address}</label>
      <input
        id="base-url"
        class="field"
        type="url"
        maxlength="2048"
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${this.invalid("baseUrl")}
        ?required=${id === "compatible" && !baseUrl}
        placeholder=${baseUrl ?? "http://127.0.0.1:8080/v1"}
      />
    </div>`;
  }

  private invalid(field: string) {
    return this.wrong === field ? "true" : nothing;
  }

  private get provider(): Provider | undefined {
    return this.list?.providers.find(({ id }) => id === this.chosen) ?? this.list?.providers[0];
  }

  private changed(event: Event): void {
    this.choose((event.target as HTMLSelectElement).value);
  }

  private choose(provider: string): void {
    this.chosen = provider;
    this.clear();
  }

  private clear(): void {
    this.forgetOutcome();
    // A key meant for one provider must not go to another.
    for (const field of [this.baseUrl, this.apiKey, this.model]) if (field) field.value = "";
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    const { provider } = this;
    if (!provider || this.trying) return;
    const given = (field?: HTMLInputElement) => field?.value.trim() || undefined;
    const choice = { provider: provider.id, baseUrl: given(this.baseUrl), apiKey: given(this.apiKey), model: given(this.model) };
    await this.attempt(async () => {
      const { model, tookMs } = await chooseProvider(choice);
      this.clear();
      return fill(t.dialogs.model.answered, { model: visibleLine(model, 100), seconds: ((tookMs ?? 0) / 1000).toFixed(1) });
    });
  }

  private readonly forget = (): void => {
    const { provider } = this;
    if (!provider) return;
    void this.attempt(async () => {
      await forgetProvider(provider.id);
      return fill(t.dialogs.model.removed, { name: provider.name });
    });
  };

  private async attempt(act: () => Promise<string>): Promise<void> {
    this.trying = true;
    this.forgetOutcome();
    try {
      const done = await act();
      await this.look(false);
      this.done = done;
    } catch (error) {
      this.problem = sentence((error as Error).message);
      this.wrong = error instanceof ApiError ? error.field : undefined;
    } finally {
      this.trying = false;
    }
  }

  private forgetOutcome(): void {
    this.problem = "";
    this.wrong = undefined;
    this.done = "";
  }

  private async look(local: boolean): Promise<void> {
    try {
      this.list = await providers(local);
      this.chosen ||= this.list.providers[0]?.id ?? "";
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }
}

/** What a room of the server says ends a sentence; here it is one. */
function sentence(text: string): string {
  const words = text.replace(/^failed to /, t.dialogs.model.failed);
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** What of a provider is there already. */
function found({ active, keyFrom, models }: Provider): string {
  if (active) return t.dialogs.model.inUse;
  if (keyFrom !== "none") return t.dialogs.model.keyFound;
  return models.length > 0 ? t.dialogs.model.found : "";
}

function standing({ active, why }: ProviderList): string {
  if (!active) return fill(t.dialogs.model.none, { why: why ? `: ${visibleLine(why, 300)}` : "" });
  return fill(t.dialogs.model.used, { model: visibleLine(active.model, 100), provider: active.provider });
}

function keyHint({ keyFrom, keyVariable }: Provider): string {
  if (keyFrom === "settings") return t.dialogs.model.hintSettings;
  if (keyFrom === "environment") return fill(t.dialogs.model.hintEnvironment, { variable: keyVariable });
  if (keyFrom === "stored") return t.dialogs.model.hintStored;
  return fill(t.dialogs.model.hintNone, { variable: keyVariable });
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-providers": Providers;
  }
}
