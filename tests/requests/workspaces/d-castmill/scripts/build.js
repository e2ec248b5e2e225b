import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Feed } from "../src/feed.js";
import { loadConfig } from "../src/config.js";

const config = loadConfig();
const feed = new Feed(config.title, config.link);
for (const episode of JSON.parse(readFileSync(config.source, "utf8"))) {
  feed.add(episode);
}
mkdirSync("out", { recursive: true });
writeFileSync("out/feed.xml", feed.render());
console.log(`wrote ${feed.count()} episodes`);
