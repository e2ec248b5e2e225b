//! A model that says what the test wants, word for word, shaped as OpenAI's API is and streamed in small pieces.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A call of a tool, as an answer. */
export interface Call {
  tool: string;
  arguments: Record<string, unknown>;
}

/** What it answers to what was said last: a text, one in pieces as they come, or a call. */
export type Script = (said: string) => string | Call | AsyncIterable<string> | Promise<string>;

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
  const given = await script(typeof last === "string" ? last : JSON.stringify(last));
  const call = typeof given === "object" && "tool" in given ? given : undefined;
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  const whole = { id: "c", object: "chat.completion", created: 0, model: "scripted", usage };
  if (!stream) {
    const content = typeof given === "string" ? given : "";
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...whole, choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const say = (delta: object, finish: string | null) =>
    response.write(`data: ${JSON.stringify({ ...whole, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  if (call) say({ tool_calls: [{ index: 0, id: `call_${calls++}`, type: "function", function: { name: call.tool, arguments: JSON.stringify(call.arguments) } }] }, null);
  else for await (const piece of piecesOf(given as string | AsyncIterable<string>)) say({ content: piece }, null);
  say({}, call ? "tool_calls" : "stop");
  response.end("data: [DONE]\n\n");
}

let calls = 0;

function piecesOf(text: string | AsyncIterable<string>): Iterable<string> | AsyncIterable<string> {
  return typeof text === "string" ? (text.match(/[^]{1,40}/g) ?? []) : text;
}
