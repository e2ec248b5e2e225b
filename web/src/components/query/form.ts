//! The fields of a server's form: what each takes is an input of its kind, filled in with its default.

import { css, html, nothing, type TemplateResult } from "lit";
import { t } from "../../i18n";
import type { Choice, FormField, JsonValue } from "../../protocol/generated";
import { visible, visibleLine } from "../../text/visible";

/** How the fields stand below each other. */
export const formStyles = css`
  .fields {
    display: grid;
    flex: 1 1 100%;
    gap: 0.7rem;
    margin: 0 0 0.3rem;
  }
  .fields .label {
    color: inherit;
    font-weight: 600;
  }
  .fields .field {
    box-sizing: border-box;
    width: 100%;
    max-width: 36rem;
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
  }
  .option {
    display: flex;
    gap: 0.45rem;
    align-items: baseline;
  }
  .option input {
    margin-inline-start: 0;
  }
  .hint {
    margin: 0.2rem 0 0;
    color: var(--muted);
    font-size: 0.84rem;
    overflow-wrap: anywhere;
  }
  .needed {
    color: var(--muted);
    font-weight: 400;
  }
`;

/** The field of this number, with its label and what it is for. */
export function fieldOf(field: FormField, at: number): TemplateResult {
  const id = `field-${at}`;
  const label = html`${visibleLine(field.label, 200)}${field.required ? html` <span class="needed">${t.dialogs.query.needed}</span>` : nothing}`;
  const hint = field.hint ? html`<p class="hint" id="${id}-hint">${visible(field.hint)}</p>` : nothing;
  if (field.kind === "choices") {
    const chosen = Array.isArray(field.default) ? field.default : [];
    return html`<fieldset aria-describedby=${field.hint ? `${id}-hint` : nothing}>
      <legend class="label">${label}</legend>
      ${(field.choices ?? []).map(
        (choice, number) =>
          html`<label class="option"><input type="checkbox" name=${id} value=${number} ?checked=${chosen.some((value) => same(value, choice.value))} />${visibleLine(choice.label, 200)}</label>`,
      )}
      ${hint}
    </fieldset>`;
  }
  return html`<div>
    <label class="label" for=${id}>${label}</label>
    ${field.kind === "choice" ? selectOf(field, id) : inputOf(field, id)} ${hint}
  </div>`;
}

/** What the form has in it, as the server takes it: numbers by their place stand for choices, and empty is null. */
export function contentOf(form: HTMLFormElement, fields: readonly FormField[]): { [name: string]: JsonValue } {
  const given = new FormData(form);
  const values = fields.map((field, at): [string, JsonValue] => {
    const chosen = (place: FormDataEntryValue | null) => field.choices?.[Number(place)]?.value ?? null;
    const texts = given.getAll(`field-${at}`);
    if (field.kind === "choices") return [field.name, texts.map(chosen)];
    const text = texts[0] ?? "";
    if (text === "") return [field.name, null];
    return [field.name, field.kind === "choice" ? chosen(text) : (text as string)];
  });
  return Object.fromEntries(values);
}

function inputOf(field: FormField, id: string): TemplateResult {
  const is = (kind: string) => field.kind === kind;
  const value = typeof field.default === "string" ? field.default : field.default == null ? "" : JSON.stringify(field.default);
  return html`<input
    class="field"
    id=${id}
    name=${id}
    value=${value}
    autocomplete="off"
    inputmode=${is("integer") ? "numeric" : is("number") ? "decimal" : "text"}
    ?required=${field.required}
    aria-describedby=${field.hint ? `${id}-hint` : nothing}
  />`;
}

function selectOf(field: FormField, id: string): TemplateResult {
  const option = (choice: Choice, number: number) =>
    html`<option value=${number} ?selected=${field.default !== undefined && same(choice.value, field.default)}>${visibleLine(choice.label, 200)}</option>`;
  return html`<select class="field" id=${id} name=${id} ?required=${field.required} aria-describedby=${field.hint ? `${id}-hint` : nothing}>
    <option value="">${field.required ? t.dialogs.query.choose : t.dialogs.query.none}</option>
    ${(field.choices ?? []).map(option)}
  </select>`;
}

function same(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
