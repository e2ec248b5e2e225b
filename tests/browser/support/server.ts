//! The built binary on a free port, with a workspace and a data folder of its own. It is ended and its folders are
//! removed when the test is over, however it ends.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const BINARY = process.env.SWITCHBOARD_BINARY ?? join(ROOT, "target/debug/switchboard");

/** A program that is built beside the server. */
export const built = (name: string): string => join(dirname(BINARY), name);

/** A server under test. */
export class Server {
  /** `http://127.0.0.1:…` */
  origin = "";
  private child?: ChildProcess;
  private said = "";

  private constructor(
    private readonly folder: string,
    private readonly options: readonly string[],
  ) {}

  /** Starts a server; `options` are added to its command line. */
  static async start(...options: string[]): Promise<Server> {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is not there: run \`cargo build --workspace\` first`);
    if (!existsSync(join(ROOT, "web/dist/index.html"))) throw new Error("web/dist is not there: run `npm ci && npm run build` in web/ first");
    const server = new Server(await mkdtemp(join(tmpdir(), "switchboard-browser-")), options);
    await mkdir(server.path("workspace"));
    await writeFile(server.path("settings.toml"), "");
    await server.listen("127.0.0.1:0");
    return server;
  }

  /** Starts it again at the address that it had. */
  async startAgain(): Promise<void> {
    await this.listen(new URL(this.origin).host);
  }

  /** Stops it where it is, so that it answers nothing, until it is thawed. */
  freeze(): void {
    this.child?.kill("SIGSTOP");
  }

  /** Lets it go on. */
  thaw(): void {
    this.child?.kill("SIGCONT");
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Ends it and removes all that it had. */
  async remove(): Promise<void> {
    await this.end("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Writes a file into the workspace. */
  async file(name: string, content: string | Uint8Array): Promise<void> {
    const path = this.path("workspace", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  /** Removes a file of the workspace. */
  async removeFile(name: string): Promise<void> {
    await rm(this.path("workspace", name));
  }

  /** A file of the workspace; `undefined` if it is not there. */
  async content(name: string): Promise<string | undefined> {
    return readFile(this.path("workspace", name), "utf8").catch(() => undefined);
  }

  /** What it said, for a test that failed. */
  get output(): string {
    return this.said;
  }

  private path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  private async listen(address: string): Promise<void> {
    const folders = ["--workspace", this.path("workspace"), "--data", this.path("data"), "--config", this.path("settings.toml")];
    const rules = this.options.includes("--reasoner") ? [] : ["--reasoner", "rules"];
    const child = spawn(BINARY, ["--listen", address, ...folders, ...rules, ...this.options], {
      stdio: ["ignore", "pipe", "pipe"],
      // No model of this machine takes part.
      env: { PATH: process.env.PATH, HOME: this.folder, RUST_BACKTRACE: "1", OLLAMA_HOST: "127.0.0.1:1" },
    });
    this.child = child;
    this.origin = await new Promise<string>((ready, failed) => {
      const hear = (chunk: Buffer): void => {
        this.said += chunk.toString();
        const found = /http:\/\/[\w.:[\]]+:\d+/.exec(this.said.slice(this.heard));
        if (found) ready(found[0]);
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", (chunk: Buffer) => (this.said += chunk.toString()));
      child.on("exit", () => failed(new Error(`the server ended before it was ready:\n${this.said}`)));
      child.on("error", failed);
    });
    this.heard = this.said.length;
  }

  /** How much of its output belongs to earlier starts. */
  private heard = 0;

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await gone;
  }
}
