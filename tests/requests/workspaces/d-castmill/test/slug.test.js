import test from "node:test";
import assert from "node:assert/strict";
import { makeSlug } from "../src/slug.js";

test("lower case and dashes", () => {
  assert.equal(makeSlug("Hello World"), "hello-world");
});

test("umlauts", () => {
  assert.equal(makeSlug("Über Öl"), "ueber-oel");
});

test("ampersand becomes and", () => {
  assert.equal(makeSlug("Salt & Pepper"), "salt-and-pepper");
});
