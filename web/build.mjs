//! Makes `dist/`: the page, its script in parts that load when they are needed, its stylesheets, fonts and icons, each
//! with a hash of its content in its name. Scripts and stylesheets are kept compressed. The folder is written beside the
//! old one and then takes its place, so that a server never reads half of it. What the first look at the page loads has a
//! limit, and the build fails beyond it.

import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
const next = join(root, "dist.next");

/** How much the first look at the page may load, compressed. */
const FIRST_LOAD_KIB = 120;
/** What it must not load: these come with the first reply, file or dialog that needs them. */
const LATER = /node_modules\/(katex|@codemirror|@lezer|@noble|highlight\.js|@observablehq|d3[^/]*|pdfjs-dist|mermaid)\//;

const PDFJS = "node_modules/pdfjs-dist";
/** What pdf.js decodes two kinds of pictures with, where there is no WebAssembly; its worker loads them by these names. */
const DECODERS = ["jbig2_nowasm_fallback.js", "openjpeg_nowasm_fallback.js"];

/** The kinds of diagrams that are drawn, and how their parts are laid out; what else mermaid has is left out. */
const DIAGRAMS =
  /\/(?:(?:flow|sequence|class|state|er|gantt|pie|journey|gitGraph|quadrant|xychart|requirement|sankey|block|c4)Diagram(?:-v2)?|(?:timeline|mindmap|kanban)-definition|dagre|cose-bilkent)-\w+\.mjs$/;

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  target: ["es2022"],
  write: false,
  metafile: true,
  outdir: next,
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
  assetNames: "assets/[name]-[hash]",
  legalComments: "none",
  logLevel: "warning",
};

/** Every browser that runs the page reads the smallest of the three formats. */
const oneFontFormat = {
  name: "one-font-format",
  setup: (build) =>
    build.onLoad({ filter: /katex\.css$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { contents: text.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("[^"]*"\)/g, ""), loader: "css" };
    }),
};

/** Parts that mermaid would load when a diagram asks for them. Formulas are text without KaTeX; the rest says that it is left out. */
const fewerDiagrams = {
  name: "fewer-diagrams",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path, importer }) => {
      if (kind !== "dynamic-import" || !importer.includes("/mermaid/dist/") || DIAGRAMS.test(path)) return undefined;
      return { path, namespace: "left-out" };
    });
    build.onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
      contents: path === "katex" ? "export default { renderToString: (formula) => formula };" : `throw Object.assign(new Error(), { name: "LeftOut" });`,
    }));
  },
};

/** The frame that draws diagrams, with everything that it loads beside it: it may ask for nothing else. */
async function diagrams() {
  const names = { entryNames: "frame/[name]-[hash]", chunkNames: "frame/[name]-[hash]" };
  return esbuild.build({ ...options, ...names, entryPoints: { mermaid: "src/frame/mermaid.ts" }, format: "esm", splitting: true, plugins: [fewerDiagrams] });
}

async function styles() {
  const entryPoints = { switchboard: "src/theme/theme.css", maths: "src/rich/maths.css" };
  return esbuild.build({ ...options, entryPoints, loader: { ".woff2": "file" }, plugins: [oneFontFormat] });
}

/** What may be in the chunk that is shared: modules without a default export, which `export *` would leave out. */
const SHARED = /^(?:src|node_modules\/(?:lit|lit-html|lit-element|@lit))\//;

/**
 * Keeps what the page shares with its later parts in one chunk. By itself esbuild makes a chunk for each set of parts that share a
 * module: twenty requests before anything is seen. Here a part that needs one shared module of the page needs all of them.
 */
function sharedTogether(script) {
  const { outputs } = script.metafile;
  const chunks = firstScripts(script).map((path) => outputs[relative(root, join(next, path))]).filter(({ entryPoint }) => !entryPoint);
  const shared = new Set(chunks.flatMap(({ inputs }) => Object.keys(inputs)).filter((path) => SHARED.test(path)).map((path) => join(root, path)));
  return {
    name: "shared-together",
    setup: (build) => {
      build.onResolve({ filter: /^\./ }, async ({ path, pluginData, ...from }) => {
        if (from.namespace !== "file" || from.kind !== "import-statement" || pluginData === "asked" || shared.has(from.importer)) return undefined;
        const found = await build.resolve(path, { ...from, pluginData: "asked" });
        return shared.has(found.path) ? { path: found.path, namespace: "shared" } : undefined;
      });
      build.onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice("shared:".length), namespace: "shared" }));
      build.onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => {
        const all = [...shared].map((file) => `import ${JSON.stringify(`shared:${file}`)};`).join("\n");
        return { contents: path === "all" ? all : `import "shared:all"; export * from ${JSON.stringify(path)};`, resolveDir: root };
      });
    },
  };
}

/** The outputs of a build by the names that they were given. */
function named(result, name) {
  const found = Object.entries(result.metafile.outputs).find(([path, { entryPoint }]) => entryPoint && basename(path).startsWith(`${name}-`));
  return relative(next, join(root, found[0]));
}

/** What is loaded before anybody does anything: the beginning, the page, and what both import outright. */
function firstScripts({ metafile: { outputs } }) {
  const seen = new Set();
  const follow = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: other, kind } of outputs[path].imports) if (kind === "import-statement") follow(other);
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (["src/main.ts", "src/components/app/app.ts"].includes(entryPoint)) follow(path);
  for (const path of seen) {
    const early = Object.keys(outputs[path].inputs).find((input) => LATER.test(input));
    if (early) throw new Error(`${early} would be loaded with the page: import it where it is needed`);
  }
  return [...seen].map((path) => relative(next, join(root, path)));
}

/** Writes a file; what a script or a stylesheet is, is compressed, and so the server sends it. */
async function write(path, contents) {
  await mkdir(dirname(path), { recursive: true });
  if (/\.(js|css)$/.test(path)) await writeFile(`${path}.gz`, packed(contents));
  else await writeFile(path, contents);
}

const packed = (contents) => gzipSync(contents, { level: 9 });

async function emit(css, script) {
  await rm(next, { recursive: true, force: true });
  const files = [css, script, worker, drawing].flatMap(({ outputFiles }) => outputFiles);
  for (const { path, contents } of files) await write(path, contents);
  for (const decoder of DECODERS) await write(join(next, "assets/pdf", decoder), await readFile(join(root, PDFJS, "wasm", decoder)));

  const main = named(script, "main");
  const first = firstScripts(script);
  const preload = first.filter((path) => path !== main).map((path) => `<link rel="modulepreload" href="${path}" />`);
  const page = (await readFile(join(root, "index.html"), "utf8"))
    .replace("%css%", named(css, "switchboard"))
    .replace("%js%", main)
    .replace("%preload%", preload.join("\n    "));
  await writeFile(join(next, "index.html"), page);
  const frame = await readFile(join(root, "src/frame/mermaid.html"), "utf8");
  await writeFile(join(next, "frame/mermaid.html"), frame.replace("%js%", `/${named(drawing, "mermaid")}`));
  await cp(join(root, "favicon.svg"), join(next, "favicon.svg"));
  await cp(join(root, "src/pwa"), join(next, "pwa"), { recursive: true });
  await rename(join(next, "pwa/manifest.webmanifest"), join(next, "manifest.webmanifest"));

  const written = files.filter(({ path }) => [named(css, "switchboard"), ...first].includes(relative(next, path)));
  const others = await Promise.all(["index.html", "favicon.svg", "manifest.webmanifest"].map((path) => readFile(join(next, path))));
  const kib = [...written.map(({ contents }) => contents), ...others].reduce((sum, content) => sum + packed(content).length, 0) / 1024;
  if (kib > FIRST_LOAD_KIB) throw new Error(`the first load is ${kib.toFixed(1)} KiB, more than ${FIRST_LOAD_KIB}`);
  await rm(dist, { recursive: true, force: true });
  await rename(next, dist);
  console.log(`dist: ${files.length} files, first load ${kib.toFixed(1)} KiB compressed`);
}

/** The script of the page's only worker. */
const worker = await esbuild.build({ ...options, entryPoints: { "pdf-worker": `${PDFJS}/legacy/build/pdf.worker.mjs` }, format: "esm" });
const drawing = await diagrams();
const css = await styles();
const beside = (result, name) => JSON.stringify(`./${basename(named(result, name))}`);
const script = {
  ...options,
  entryPoints: { main: "src/main.ts" },
  format: "esm",
  splitting: true,
  define: { __MATHS_CSS__: beside(css, "maths"), __PDF_WORKER__: beside(worker, "pdf-worker") },
};
const shared = sharedTogether(await esbuild.build(script));
if (process.argv.includes("--watch")) {
  const emitter = {
    name: "emit",
    setup: (build) => build.onEnd(async (result) => (result.errors.length ? undefined : emit(await styles(), result))),
  };
  await (await esbuild.context({ ...script, plugins: [shared, emitter] })).watch();
} else {
  await emit(css, await esbuild.build({ ...script, plugins: [shared] }));
}
