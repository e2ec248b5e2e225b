//! What was dismissed stays away. Runs in a DOM: @vitest-environment jsdom

import { beforeEach, expect, it } from "vitest";
import { Store } from "../../state/store";
import { kept, ready } from "../../state/test-frames";
import { DismissedNotices } from "./kept";

const said = (seq: number, message: string) => kept(seq, "notification", { notificationId: "n1", level: "info", message, durationMs: 0 });

const snapshot = (message: string) => ({
  variables: [], openWindows: [], firstSeq: 2, notifications: [{ notificationId: "n1", level: "info" as const, message, durationMs: 0 }],
});

function opened(): { store: Store; notices: () => string[]; dismissed: DismissedNotices } {
  const store = new Store();
  const dismissed = new DismissedNotices(store);
  const notices = () => {
    dismissed.hear(store.state);
    return store.state.notices.map(({ message }) => message);
  };
  return { store, dismissed, notices };
}

beforeEach(() => localStorage.clear());

it("a notice that was dismissed does not come back with the history, and does when it is said again", () => {
  const first = opened();
  first.store.receive(ready());
  first.store.receive(said(1, "The build is done."));
  expect(first.notices()).toEqual(["The build is done."]);
  first.dismissed.add("n1");
  expect(first.notices()).toEqual([]);

  const again = opened();
  again.store.receive(ready({ lastSeq: 1, snapshot: snapshot("The build is done.") }));
  expect(again.notices()).toEqual([]);
  again.store.receive(said(2, "The build is done once more."));
  expect(again.notices()).toEqual(["The build is done once more."]);

  const last = opened();
  last.store.receive(ready({ lastSeq: 2, snapshot: snapshot("The build is done once more.") }));
  expect(last.notices()).toEqual(["The build is done once more."]);
});
