//! A provider is tried before it is used, and says what is wrong. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, button, mount, settled, words } from "../test-dom";
import type { Providers } from "./providers";
import "./providers";

const OPENAI = { id: "openai", name: "OpenAI", needsKey: true, keyVariable: "OPENAI_API_KEY", keyFrom: "none", active: false, models: [] };
const LOCAL = { id: "compatible", name: "OpenAI-compatible", needsKey: false, keyVariable: "LLM_API_KEY", keyFrom: "none", active: false, models: ["a", "b"] };

afterEach(() => vi.unstubAllGlobals());

async function dialog(answer: (init?: RequestInit) => Response, providers: readonly object[] = [OPENAI, LOCAL]): Promise<{ element: Providers; sent: unknown[] }> {
  const sent: unknown[] = [];
  const element = await mount<Providers>(html`<sb-providers></sb-providers>`);
  vi.stubGlobal("fetch", async (_path: string, init?: RequestInit) => {
    if (init?.method === "POST") {
      sent.push(JSON.parse(init.body as string));
      return answer(init);
    }
    return Response.json({ why: "no key", providers });
  });
  element.disconnectedCallback();
  element.connectedCallback();
  await vi.waitFor(() => expect(all(element, "form").length).toBe(1));
  return { element, sent };
}

async function submit(element: Providers): Promise<void> {
  (all(element, "form")[0] as HTMLFormElement).requestSubmit();
  await vi.waitFor(() => expect(button(element, "Test and use").disabled).toBe(false));
  await settled(element);
}

describe("the form of providers", () => {
  it("says why there is no model, and asks only local ones where they are", async () => {
    const { element } = await dialog(() => new Response());
    expect(words(element)).toContain("None is in use: no key.");
    expect(all(element, "#base-url").length).toBe(0);
    const select = all(element, "select")[0] as HTMLSelectElement;
    select.value = "compatible";
    select.dispatchEvent(new Event("change"));
    await settled(element);
    expect(all(element, "#base-url").length).toBe(1);
  });

  it("looks for local ones once, and says meanwhile that it loads", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
      if (init?.method !== "POST") asked.push(path);
      return Response.json(init?.method === "POST" ? { provider: "openai", model: "gpt" } : { why: "no key", providers: [OPENAI] });
    });
    const element = await mount<Providers>(html`<sb-providers></sb-providers>`);
    expect(words(element)).toBe("Loading…");
    await vi.waitFor(() => expect(all(element, "form").length).toBe(1));
    await submit(element);
    await vi.waitFor(() => expect(asked).toEqual(["/api/providers?look=1", "/api/providers"]));
  });

  it("offers what runs on the server's machine", async () => {
    const ollama = { ...LOCAL, id: "ollama", name: "Ollama" };
    const { element } = await dialog(() => new Response(), [OPENAI, ollama, { ...LOCAL, id: "llamacpp", name: "llama.cpp", models: [] }]);
    expect(words(element)).toContain("Found on the server’s machine: Ollama (2 models)");
    button(element, "Ollama (2 models)").click();
    await settled(element);
    expect((all(element, "select")[0] as HTMLSelectElement).value).toBe("ollama");
    expect(all(element, "#base-url").length).toBe(1);
  });

  it("sends the key once, and empties the field when it was right", async () => {
    const { element, sent } = await dialog(() => Response.json({ provider: "openai", model: "gpt", tookMs: 1200 }));
    const key = all(element, "#api-key")[0] as HTMLInputElement;
    key.value = " sk-1 ";
    await submit(element);
    await vi.waitFor(() => expect(words(element)).toContain("gpt answered after 1.2 s"));
    expect(sent).toEqual([{ provider: "openai", apiKey: "sk-1" }]);
    expect(key.value).toBe("");
  });

  it("says what is wrong, and keeps what was written", async () => {
    const refusal = { detail: "failed to be let in", suggestion: "Check the key", field: "apiKey" };
    const { element } = await dialog(() => Response.json(refusal, { status: 422 }));
    const key = all(element, "#api-key")[0] as HTMLInputElement;
    key.value = "sk-1";
    await submit(element);
    await vi.waitFor(() => expect(words(element)).toContain("Failed to be let in: Check the key."));
    expect(key.getAttribute("aria-invalid")).toBe("true");
    expect(key.value).toBe("sk-1");
  });
});
