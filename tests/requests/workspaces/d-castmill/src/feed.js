import { makeSlug } from "./slug.js";
import { formatDuration } from "./duration.js";

export class Feed {
  constructor(title, link) {
    this.title = title;
    this.link = link;
    this.items = [];
  }

  add(episode) {
    console.log("adding", episode.number);
    this.items.push(episode);
  }

  count() {
    return this.items.length;
  }

  render() {
    const items = sortEpisodes(this.items).map((episode) => renderItem(episode, this.link));
    // TODO: escape ampersands in titles
    return `<rss version="2.0"><channel><title>${this.title}</title>${items.join("")}</channel></rss>\n`;
  }
}

export function sortEpisodes(episodes) {
  return [...episodes].sort((a, b) => b.date.localeCompare(a.date));
}

function renderItem(episode, link) {
  const slug = makeSlug(episode.title);
  const duration = formatDuration(episode.seconds);
  return `<item><title>${episode.title}</title><link>${link}/${slug}</link><duration>${duration}</duration></item>`;
}
