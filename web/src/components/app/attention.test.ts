//! The notes in the place of the field. Runs in a DOM: @vitest-environment jsdom

import { render } from "lit";
import { describe, expect, it, vi } from "vitest";
import { damagedNote } from "./attention";

describe("a damaged conversation", () => {
  it("says from where on it is damaged, and goes on in another one", () => {
    const [place, fork] = [document.createElement("div"), vi.fn()];
    render(damagedNote(5, fork), place);
    expect(place.textContent).toContain("damaged from event 5 on");
    expect(place.querySelector("[role=alert]")).not.toBeNull();
    place.querySelector("button")?.click();
    expect(fork).toHaveBeenCalledOnce();
  });
});
