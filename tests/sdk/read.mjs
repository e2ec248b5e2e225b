// What an official client reads from a server: node read.mjs openai|anthropic BASE_URL stream|whole COUNT
// Asks COUNT times, one after the other, and prints what came, a JSON array.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const [dialect, baseURL, how, count] = process.argv.slice(2);
const messages = [{ role: "user", content: "Hello?" }];
const settings = { apiKey: "none", baseURL, maxRetries: 0 };

async function openai() {
  const client = new OpenAI(settings);
  const asked = { model: "scripted", messages };
  const stream = () => client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } });
  const reply = how === "stream" ? await stream().finalChatCompletion() : await client.chat.completions.create(asked);
  const { message, finish_reason } = reply.choices[0];
  return {
    text: message.content || message.refusal || "",
    calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({ id, name, given })),
    finish: message.refusal ? "content_filter" : finish_reason,
    usage: reply.usage ? [reply.usage.prompt_tokens, reply.usage.completion_tokens] : null,
  };
}

async function anthropic() {
  // Its addresses begin with /v1 themselves.
  const client = new Anthropic({ ...settings, baseURL: baseURL.replace(/\/v1$/, "") });
  const asked = { model: "scripted", max_tokens: 1000, messages };
  const reply = how === "stream" ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked);
  const of = (type) => reply.content.filter((block) => block.type === type);
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = reply.usage;
  return {
    text: of("text").map((block) => block.text).join("") || reply.stop_details?.explanation || "",
    calls: of("tool_use").map(({ id, name, input }) => ({ id, name, given: JSON.stringify(input) })),
    finish: reply.stop_reason,
    usage: [input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0), output_tokens],
  };
}

const read = [];
for (let number = 0; number < Number(count); number += 1) {
  try {
    read.push(await (dialect === "openai" ? openai() : anthropic()));
  } catch (error) {
    read.push({ error: String(error) });
  }
}
console.log(JSON.stringify(read));
