//! What viewers get of a resource, and what they say when they get nothing.

import { afterEach, describe, expect, it, vi } from "vitest";
import { jsonOf, textOf } from "./content";

const SOURCE = { session: "s1", handle: "file:a b.txt" };

function answers(body: BodyInit | null, init: ResponseInit = {}) {
  const fetch = vi.fn(() => Promise.resolve(new Response(body, init)));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

afterEach(() => vi.unstubAllGlobals());

describe("a text", () => {
  it("is asked for up to a limit, and is cut where there is more", async () => {
    const fetch = answers("milk", { status: 206, headers: { "content-range": "bytes 0-3/9" } });
    expect(await textOf(SOURCE)).toEqual({ text: "milk", cut: true });
    expect(fetch).toHaveBeenCalledWith("/api/sessions/s1/resources/file%3Aa%20b.txt", expect.objectContaining({ headers: { range: "bytes=0-1048575" } }));
  });

  it("is empty where the file has no part", async () => {
    answers(JSON.stringify({ detail: "it has only 0 bytes" }), { status: 416 });
    expect(await textOf(SOURCE)).toEqual({ text: "", cut: false });
  });

  it("is not made of bytes", async () => {
    answers(new Uint8Array([1, 0, 2]));
    await expect(textOf(SOURCE)).rejects.toThrow("This is not text");
  });
});

it("a refusal is told in the words of the server", async () => {
  answers(JSON.stringify({ detail: "there is no a b.txt", suggestion: "list the folder" }), { status: 404 });
  await expect(textOf(SOURCE)).rejects.toThrow("there is no a b.txt: list the folder");
  await expect(jsonOf(SOURCE)).rejects.toThrow("there is no a b.txt: list the folder");
});
