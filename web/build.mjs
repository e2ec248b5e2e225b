//! Makes `dist/`: one bundle and one stylesheet with a hash in their names, the page that names them, and the icon.
//! The folder is written beside the old one and then takes its place, so that a server never reads half of it.

import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
const next = join(root, "dist.next");

const options = {
  absWorkingDir: root,
  entryPoints: { main: "src/main.ts", theme: "src/theme/theme.css" },
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  write: false,
  outdir: next,
  legalComments: "none",
  logLevel: "warning",
};

async function emit(result) {
  await rm(next, { recursive: true, force: true });
  await mkdir(join(next, "assets"), { recursive: true });
  const names = {};
  for (const file of result.outputFiles) {
    const kind = file.path.endsWith(".css") ? "css" : "js";
    const hash = createHash("sha256").update(file.contents).digest("hex").slice(0, 10);
    names[kind] = `assets/switchboard-${hash}.${kind}`;
    await writeFile(join(next, names[kind]), file.contents);
  }
  const page = await readFile(join(root, "index.html"), "utf8");
  await writeFile(join(next, "index.html"), page.replace("%css%", names.css).replace("%js%", names.js));
  await cp(join(root, "favicon.svg"), join(next, "favicon.svg"));
  await rm(dist, { recursive: true, force: true });
  await rename(next, dist);
  const size = result.outputFiles.reduce((sum, file) => sum + file.contents.length, 0);
  console.log(`dist: ${Object.values(names).join(", ")} (${Math.round(size / 1024)} KiB)`);
}

if (process.argv.includes("--watch")) {
  const emitter = { name: "emit", setup: (build) => build.onEnd((result) => (result.errors.length ? undefined : emit(result))) };
  await (await esbuild.context({ ...options, plugins: [emitter] })).watch();
} else {
  await emit(await esbuild.build(options));
}
