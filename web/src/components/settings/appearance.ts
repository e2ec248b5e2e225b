//! `<sb-appearance>`: the language, the colours and the density of the page, and whether it notifies, kept in this browser.

import { css, html, LitElement, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { t } from "../../i18n";
import { chooseLanguage, keptLanguage, type Choice } from "../../i18n/language";
import { base, buttons, fields } from "../../theme/base";
import { keptDensity, useDensity, type Density } from "../../theme/density";
import { canNotify, useNotifications, wantsNotifications } from "../../theme/notifications";
import { keptScheme, useScheme, type Scheme } from "../../theme/scheme";
import { ask } from "../events";

const SCHEMES: readonly Scheme[] = ["system", "light", "dark"];
const DENSITIES: readonly Density[] = ["roomy", "compact"];
const LANGUAGES: readonly Choice[] = ["system", "en", "de"];

@customElement("sb-appearance")
export class Appearance extends LitElement {
  static override styles = [
    base,
    buttons,
    fields,
    css`
      fieldset {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
        margin: 0 0 1.1rem;
        padding: 0;
        border: 0;
      }
      legend,
      .label {
        margin: 0 0 0.35rem;
        padding: 0;
        color: var(--text);
        font-size: 0.92rem;
        font-weight: 600;
      }
      fieldset label {
        display: inline-flex;
        align-items: center;
        gap: 0.45rem;
        min-height: 40px;
        padding: 0.2rem 0.85rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        cursor: pointer;
      }
      fieldset label:has(:checked) {
        border-color: var(--accent);
        background: var(--accent-soft);
      }
      fieldset label:has(:focus-visible) {
        outline: 2px solid var(--accent);
        outline-offset: 1px;
      }
      .field {
        min-height: 40px;
      }
      .hint {
        margin: 0.3rem 0 1.1rem;
        color: var(--muted);
        font-size: 0.84rem;
      }
      .more {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        padding-top: 0.9rem;
        border-top: 1px solid var(--line);
      }
      @media (pointer: coarse) {
        fieldset label,
        .field {
          min-height: 44px;
        }
      }
    `,
  ];

  @state() private scheme = keptScheme();
  @state() private density = keptDensity();
  @state({ hasChanged: () => true }) private notified = wantsNotifications();
  @state() private refused = false;

  override render() {
    const words = t.dialogs.settings;
    return html`<label class="label" for="language">${words.language}</label>
      <select id="language" class="field" aria-describedby="reloads" @change=${(event: Event) => chooseLanguage((event.target as HTMLSelectElement).value as Choice)}>
        ${LANGUAGES.map((choice) => html`<option value=${choice} ?selected=${choice === keptLanguage()}>${words.languages[choice]}</option>`)}
      </select>
      <p class="hint" id="reloads">${words.reloads}</p>
      ${this.choices(words.colours, "scheme", SCHEMES, words.schemes, this.scheme, (scheme) => {
        this.scheme = scheme;
        useScheme(scheme);
      })}
      ${this.choices(words.density, "density", DENSITIES, words.densities, this.density, (density) => {
        this.density = density;
        useDensity(density);
      })}
      ${canNotify() ? this.notify() : nothing}
      <p class="hint">${words.kept}</p>
      <div class="more">
        <button class="button" @click=${() => ask(this, "sb-help", {})}>${words.keys}</button>
      </div>`;
  }

  private notify() {
    const words = t.dialogs.settings;
    return html`<fieldset>
      <legend>${words.notify}</legend>
      <label><input type="checkbox" .checked=${live(this.notified)} @change=${this.notifying} />${words.notifyOn}</label>
      ${this.refused ? html`<p class="hint" role="alert">${words.notifyDenied}</p>` : nothing}
    </fieldset>`;
  }

  private async notifying({ target }: Event): Promise<void> {
    const { checked } = target as HTMLInputElement;
    this.notified = await useNotifications(checked);
    this.refused = checked && !this.notified;
  }

  private choices<T extends string>(legend: string, name: string, all: readonly T[], words: Record<T, string>, now: T, take: (choice: T) => void) {
    return html`<fieldset>
      <legend>${legend}</legend>
      ${all.map((choice) => html`<label><input type="radio" name=${name} .checked=${choice === now} @change=${() => take(choice)} />${words[choice]}</label>`)}
    </fieldset>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-appearance": Appearance;
  }
}
