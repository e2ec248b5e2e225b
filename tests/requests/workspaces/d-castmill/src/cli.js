#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { formatDuration } from "./duration.js";
import { loadConfig } from "./config.js";
import { sortEpisodes } from "./feed.js";

const MAX_ROWS = 50;

function main(args) {
  const config = loadConfig(process.env.CASTMILL_CONFIG);
  const episodes = JSON.parse(readFileSync(config.source, "utf8"));
  const command = args[0] ?? "list";
  if (command === "list") {
    for (const episode of sortEpisodes(episodes).slice(0, MAX_ROWS)) {
      console.log(`${episode.number}\t${formatDuration(episode.seconds)}\t${episode.title}`);
    }
    return 0;
  }
  if (command === "longest") {
    const longest = episodes.reduce((a, b) => (b.seconds > a.seconds ? b : a));
    console.log(longest.title);
    return 0;
  }
  console.error(`unknown command: ${command}`);
  return 2;
}

process.exitCode = main(process.argv.slice(2));
