//! A model that says what the test wants, word for word, shaped as OpenAI's API is and streamed in small pieces.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What it answers to what was said last. */
export type Script = (said: string) => string | Promise<string>;

/** A model that answers. */
export interface ScriptedModel {
  url: string;
  end: () => void;
}

/** Starts one. */
export async function startScript(script: Script): Promise<ScriptedModel> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => void answer(script, request.url ?? "", body, response));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, end: () => void (server.closeAllConnections(), server.close()) };
}

async function answer(script: Script, path: string, body: string, response: ServerResponse): Promise<void> {
  if (!path.includes("completions")) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", data: [{ id: "scripted", object: "model" }] }));
    return;
  }
  const { messages, stream } = JSON.parse(body) as { messages: { content: unknown }[]; stream?: boolean };
  const last = messages.at(-1)?.content;
  const text = await script(typeof last === "string" ? last : JSON.stringify(last));
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  const whole = { id: "c", object: "chat.completion", created: 0, model: "scripted", usage };
  if (!stream) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...whole, choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } }] }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const say = (delta: object, finish: string | null) =>
    response.write(`data: ${JSON.stringify({ ...whole, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  for (let at = 0; at < text.length; at += 40) say({ content: text.slice(at, at + 40) }, null);
  say({}, "stop");
  response.end("data: [DONE]\n\n");
}
