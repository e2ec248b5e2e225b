//! A command's connections, as its result tells of them: to the model in its view and value, to the user as fields of the
//! card.

use serde_json::{Value, json};
use switchboard_net::{Destination, Journal, Tally};

/// How many destinations are told of one by one.
const MAX_SHOWN: usize = 20;

/// The connections of a command that has ended.
pub(super) struct Connections {
    tallies: Vec<(Destination, Tally)>,
    left_out: u64,
}

impl Connections {
    pub(super) fn of(journal: &Journal) -> Self {
        let (tallies, left_out) = journal.tallies();
        Self { tallies, left_out }
    }

    /// One field a destination, with what became of its connections.
    pub(super) fn fields(&self) -> Vec<(String, String)> {
        let shown = self.tallies.iter().take(MAX_SHOWN);
        let mut fields: Vec<(String, String)> =
            shown.map(|(to, tally)| (format!("network {to}"), said(tally))).collect();
        let more = self.tallies.len().saturating_sub(MAX_SHOWN) as u64 + self.left_out;
        fields.extend((more > 0).then(|| ("network".to_owned(), format!("and {more} further destinations"))));
        fields
    }

    /// The same for the view; nothing if there were none.
    pub(super) fn view(&self) -> String {
        self.fields().iter().map(|(name, value)| format!("\n{name}: {value}")).collect()
    }

    /// The same for the value; nothing if there were none.
    pub(super) fn value(&self) -> Option<Value> {
        let entry = |(to, tally): &(Destination, Tally)| {
            let mut entry = json!({
                "host": to.domain(), "port": to.port(), "connections": tally.connected,
                "bytes_sent": tally.sent, "bytes_received": tally.received,
            });
            for (name, why) in [("denied", &tally.refused), ("failed", &tally.failed)] {
                if let Some(why) = why {
                    entry[name] = json!(why);
                }
            }
            entry
        };
        (!self.tallies.is_empty()).then(|| self.tallies.iter().map(entry).collect())
    }

    /// The first destination that was denied, and why.
    pub(super) fn denied(&self) -> Option<String> {
        let denied = |(to, tally): &(Destination, Tally)| Some(format!("{to}: {}", tally.refused.as_ref()?));
        self.tallies.iter().find_map(denied)
    }
}

fn said(tally: &Tally) -> String {
    let mut parts = Vec::new();
    if tally.connected > 0 {
        let connections = if tally.connected == 1 { "connection" } else { "connections" };
        let (sent, received) = (size(tally.sent), size(tally.received));
        parts.push(format!("{} {connections}, {sent} sent, {received} received", tally.connected));
    }
    parts.extend(tally.refused.as_ref().map(|why| format!("denied: {why}")));
    parts.extend(tally.failed.as_ref().map(|why| format!("failed: {why}")));
    let text = parts.join("; ");
    // Longer fields are not shown at all.
    if text.len() <= 200 { text } else { format!("{}…", &text[..text.floor_char_boundary(190)]) }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}
