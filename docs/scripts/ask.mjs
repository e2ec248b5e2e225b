#!/usr/bin/env node
// Asks Switchboard something over HTTP, shows each step, and lets you answer when it asks for approval.
//
//     node ask.mjs "Read README.md and tell me what it is about" [SESSION]
//
// SWITCHBOARD_URL is the server's address (http://127.0.0.1:7878), SWITCHBOARD_AUTH_TOKEN its token if it has one.
// Ends with 0 if the message was answered and with 1 if not. Needs nothing but Node.js 18 or later.
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";

const server = (process.env.SWITCHBOARD_URL ?? "http://127.0.0.1:7878").replace(/\/$/, "");
const token = process.env.SWITCHBOARD_AUTH_TOKEN;
/** What cannot be seen, such as what moves a terminal's cursor or turns text round: it is shown as a sign. */
const unseen = /(?![\n\t\uFE0E\uFE0F])[\p{C}\p{DI}\u2028\u2029]/gu;
const show = (text, end = "\n") => process.stdout.write(text.replace(unseen, "\uFFFD") + end);
const ends = ["agent-response", "agent-error", "command-response", "command-error"];

/** The answer to a POST of JSON; whatever is refused says what happened and what to do next. */
async function post(path, body) {
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream, application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(server + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (response.ok) return response;
  const { status, detail, suggestion } = await response.json();
  throw Object.assign(new Error(`${status}: ${detail}. ${suggestion ?? ""}`), { status });
}

/** The lines of an answer as they come. */
async function* lines(response) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop();
    yield* parts;
  }
}

/**
 * The frames of the message's turn as they come, up to the one that ends it. A connection that is lost loses nothing: the same
 * message with the same id gives the same frames again.
 */
async function* frames(session, message) {
  for (let seen = 0; ; ) {
    try {
      for await (const line of lines(await post(`/api/sessions/${session}/messages`, message))) {
        if (!line.startsWith("data:")) continue;
        const frame = JSON.parse(line.slice(5));
        if (frame.seq <= seen) continue;
        seen = frame.seq ?? seen;
        yield frame;
        if (ends.includes(frame.type)) return;
      }
    } catch (error) {
      if (error.status && error.status !== 503) throw error;
    }
    console.error("(connection lost, trying again)");
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Shows what will run, asks, and sends the answer. A call that is answered elsewhere meanwhile is fine. */
async function answerApproval(session, request) {
  show(`? may ${request.tool} run with ${JSON.stringify(request.arguments)} [y/n] `, "");
  const answer = (await answers.next()).value ?? "";
  const decision = ["y", "yes"].includes(answer.trim().toLowerCase()) ? "allow-once" : "deny";
  console.log(decision);
  await post(`/api/sessions/${session}/approvals/${encodeURIComponent(request.callId)}`, { decision }).catch((error) => {
    if (error.status !== 404) throw error;
  });
}

/** Shows a question with its choices and sends the answer; an empty line dismisses it. */
async function answerQuery(session, { queryId, message, choices = [] }) {
  show(`? ${message}`);
  choices.forEach((choice, at) => show(`  ${at + 1}  ${choice.label}`));
  show("? ", "");
  const line = ((await answers.next()).value ?? "").trim();
  console.log(line);
  const answer = choices.length ? choices[Number(line) - 1]?.value : line || undefined;
  await post(`/api/sessions/${session}/queries/${encodeURIComponent(queryId)}`, { answer }).catch((error) => {
    if (error.status !== 404) throw error;
  });
}

async function main([text, given]) {
  if (!text) throw new Error('say what to ask: node ask.mjs "Calculate 6 * 7"');
  const session = given ?? (await (await post("/api/sessions", {})).json()).sessionId;
  console.log(`session ${session}`);
  for await (const frame of frames(session, { text, messageId: randomUUID() })) {
    if (frame.type === "agent-thinking") show(`. ${frame.step}: ${frame.message}`);
    if (frame.type === "approval-request") await answerApproval(session, frame);
    if (frame.type === "user-query") await answerQuery(session, frame);
    if (frame.type === "tool-call-start") show(`> ${frame.tool} ${JSON.stringify(frame.arguments)}`);
    if (frame.type === "tool-call-end") show(frame.success ? "< done" : `< failed: ${frame.error}`);
    if (ends.includes(frame.type)) {
      show(frame.text);
      return frame.type.endsWith("-response") ? 0 : 1;
    }
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error.cause ? `no server at ${server}: ${error.cause.message}` : error.message.replace(unseen, "\uFFFD"));
    process.exit(1);
  },
);
