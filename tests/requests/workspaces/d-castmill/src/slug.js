const UMLAUTS = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

export function makeSlug(title) {
  return title
    .toLowerCase()
    .replace(/[äöüß]/g, (c) => UMLAUTS[c])
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
