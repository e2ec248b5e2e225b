//! Code in colours: the grammars that replies use most, loaded with the first block that names one of them. What the
//! library writes goes through DOMPurify, which lets nothing but coloured words pass.

import DOMPurify from "dompurify";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** Beyond this many characters colours cost more than they help. */
const LONGEST = 50_000;

const GRAMMARS = { bash, cpp, csharp, css, diff, dockerfile, go, ini, java, json, python, rust, sql, typescript, xml, yaml };
for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);
hljs.registerAliases(["js", "jsx", "javascript", "mjs", "ts", "tsx"], { languageName: "typescript" });
hljs.registerAliases(["c", "h"], { languageName: "cpp" });
hljs.registerAliases(["shell", "console", "zsh"], { languageName: "bash" });
hljs.registerAliases(["jsonl"], { languageName: "json" });
hljs.registerAliases(["cfg"], { languageName: "ini" });

/** The code as coloured nodes; `undefined` if its language is not known. */
export function highlighted(text: string, language: string): DocumentFragment | undefined {
  if (text.length > LONGEST || !hljs.getLanguage(language)) return undefined;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  return DOMPurify.sanitize(value, { ALLOWED_TAGS: ["span"], ALLOWED_ATTR: ["class"], ALLOW_DATA_ATTR: false, RETURN_DOM_FRAGMENT: true });
}
