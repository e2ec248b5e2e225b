//! English: the list of conversations and what is done to one of them.

/** The list. */
export const listing = {
  pinned: "Pinned",
  today: "Today",
  yesterday: "Yesterday",
  week: "Previous 7 days",
  month: "Previous 30 days",
  actions: "Actions for {title}",
  menu: "What can be done",
  pin: "Pin",
  unpin: "Unpin",
  rename: "Rename",
  replay: "Replay event by event",
  page: "Save as a page to share",
  export: "Export for another server",
  delete: "Delete",
  import: "Import a conversation…",
  importing: "{name} is being imported…",
  notImported: "{name} was not imported: {why}",
  earlier: "Earlier conversations",
  deleted: "“{title}” was deleted.",
  takeBack: "Deletions that can be taken back",
  undo: "Undo",
};
