//! A scripted language model in a process of its own, shaped as OpenAI's API is.

import { spawn } from "node:child_process";
import { built } from "./server";

/** A model that answers. */
export interface Model {
  /** Where its API is. */
  url: string;
  end: () => void;
}

/** Starts one that takes this key only. */
export async function startModel(key: string): Promise<Model> {
  const child = spawn(built("scripted_llm"), ["--key", key], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((ready, failed) => {
    child.stdout.once("data", (chunk: Buffer) => ready(chunk.toString().trim()));
    child.once("exit", () => failed(new Error("the scripted model ended before it was ready")));
    child.once("error", failed);
  });
  return { url, end: () => void child.kill("SIGKILL") };
}
