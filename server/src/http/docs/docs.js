// Draws /api/openapi.json. Every text is set as text, never as markup.
"use strict";

/** An element with children; strings become text. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

/** Text in which `code` stands between backticks, and an empty line begins a paragraph. */
function prose(text) {
  return (text ?? "").split("\n\n").map((paragraph) => {
    const parts = paragraph.split("`");
    return make("p", {}, ...parts.map((part, at) => (at % 2 === 1 ? make("code", {}, part) : part)));
  });
}

const nameOf = (schema) => schema?.$ref?.split("/").pop();
const anchorOf = (name) => `schema-${name}`;

/** A schema in a few words, with links to those that have a name. */
function short(schema) {
  if (!schema || Object.keys(schema).length === 0) return make("span", {}, "any JSON");
  const name = nameOf(schema);
  if (name) return make("a", { href: `#${anchorOf(name)}` }, name);
  if (schema.enum) return make("code", {}, schema.enum.join(" | "));
  if (schema.const !== undefined) return make("code", {}, JSON.stringify(schema.const));
  if (schema.type === "array") return make("span", {}, "list of ", short(schema.items));
  const limits = ["format", "pattern", "minimum", "maximum", "minLength", "maxLength", "default"]
    .filter((key) => schema[key] !== undefined)
    .map((key) => `${key} ${schema[key]}`);
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "see below");
  return make("span", {}, limits.length ? `${type} (${limits.join(", ")})` : type);
}

function table(heads, rows) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell))));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
}

function parameters(operation) {
  const rows = (operation.parameters ?? []).map((parameter) => [
    make("code", {}, parameter.name),
    parameter.in,
    short(parameter.schema),
    `${parameter.description ?? ""}${parameter.required ? " Required." : ""}`,
  ]);
  return rows.length ? [make("h3", {}, "Parameters"), table(["name", "in", "what", "meaning"], rows)] : [];
}

function contents(content) {
  return Object.entries(content ?? {}).map(([type, { schema }]) =>
    make("div", {}, make("code", {}, type), ": ", short(schema)),
  );
}

function body(operation) {
  const content = operation.requestBody?.content;
  if (!content) return [];
  return [make("h3", {}, operation.requestBody.required ? "Body" : "Body (optional)"), ...contents(content)];
}

function answers(operation) {
  const rows = Object.entries(operation.responses ?? {}).map(([status, answer]) => {
    const cell = make("div", {}, answer.description ?? "", ...contents(answer.content));
    return [make("code", {}, status), cell];
  });
  return [make("h3", {}, "Answers"), table(["status", "what"], rows)];
}

function operation(method, path, operation) {
  const head = make(
    "summary",
    {},
    make("span", { class: "method" }, method.toUpperCase()),
    make("span", { class: "path" }, path),
    make("span", { class: "note" }, ` ${operation.summary ?? ""}`),
  );
  const inside = make(
    "div",
    { class: "body" },
    ...prose(operation.description),
    ...parameters(operation),
    ...body(operation),
    ...answers(operation),
  );
  return make("details", { id: operation.operationId ?? "" }, head, inside);
}

function group(tag, paths) {
  const found = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (described.tags?.includes(tag.name)) found.push(operation(method, path, described));
    }
  }
  return make("section", {}, make("h2", {}, tag.name), make("p", { class: "muted" }, tag.description ?? ""), ...found);
}

/** The object that is meant, when there is one: a schema's own properties, or those of one of its forms. */
function fields(schema) {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    make("code", {}, name),
    short(property),
    `${property.description ?? ""}${required.has(name) ? "" : " Optional."}`,
  ]);
  return rows.length ? [table(["field", "what", "meaning"], rows)] : [];
}

function form(schema) {
  const type = schema.properties?.type?.const;
  const title = type ? [make("h3", {}, make("code", {}, type))] : [];
  return [...title, ...prose(schema.description), ...fields(schema)];
}

function drawSchema(name, schema) {
  const inside = [...prose(schema.description), ...fields(schema)];
  for (const one of schema.oneOf ?? schema.anyOf ?? []) inside.push(...(nameOf(one) ? [short(one)] : form(one)));
  if (schema.enum) inside.push(short(schema));
  return make("details", { id: anchorOf(name) }, make("summary", { class: "path" }, name), make("div", { class: "body" }, ...inside));
}

/** Opens what the address points at. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.tagName === "DETAILS") {
    target.open = true;
    target.scrollIntoView();
  }
}

async function draw() {
  const main = document.getElementById("paths");
  try {
    const response = await fetch("/api/openapi.json", { credentials: "same-origin" });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const api = await response.json();
    document.getElementById("about").replaceWith(...prose(api.info.description));
    main.replaceChildren(...api.tags.map((tag) => group(tag, api.paths)));
    const schemas = Object.entries(api.components?.schemas ?? {});
    document.getElementById("schemas").replaceChildren(...schemas.map(([name, schema]) => drawSchema(name, schema)));
    document.getElementById("schemas-title").hidden = schemas.length === 0;
    openTarget();
  } catch (error) {
    main.replaceChildren(make("p", {}, `The description could not be loaded: ${error.message}. Reload the page to try again.`));
  }
}

addEventListener("hashchange", openTarget);
void draw();
