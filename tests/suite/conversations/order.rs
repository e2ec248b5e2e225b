//! What the scheduler orders, in one order: pieces are joined, and calls that a model made side by side stand one after the
//! other.

use serde_json::Value;

/// The lines in that order; `beside` if the stage's model may make several calls at once.
pub(super) fn ordered(lines: Vec<Value>, beside: bool) -> Vec<Value> {
    let joined = joined(lines);
    if beside { told_in_turn(&joined) } else { joined }
}

/// Pieces that wait for the frame that they stand before.
#[derive(Default)]
struct Pieces {
    replies: Vec<Value>,
    outputs: Vec<Value>,
}

impl Pieces {
    /// Takes a piece; anything else comes back.
    fn take(&mut self, line: Value) -> Option<Value> {
        let (open, text, same) = match line["type"].as_str() {
            // The next reply of a turn begins anew.
            Some("agent-delta") if line["offset"] == 0 => (&mut self.replies, "text", None),
            Some("agent-delta") => {
                let same = self.replies.iter().rposition(|open| open["turnId"] == line["turnId"]);
                (&mut self.replies, "text", same)
            }
            Some("tool-output-chunk") => {
                let same = |open: &Value| open["callId"] == line["callId"] && open["stream"] == line["stream"];
                let same = self.outputs.iter().rposition(same);
                (&mut self.outputs, "chunk", same)
            }
            _ => return Some(line),
        };
        match same {
            Some(same) => {
                let whole = [&open[same][text], &line[text]].map(|text| text.as_str().unwrap_or_default()).concat();
                open[same][text] = whole.into();
            }
            None => open.push(line),
        }
        None
    }

    /// Those that come before this line.
    fn before(&mut self, line: &Value) -> Vec<Value> {
        if line.get("connects").is_some() {
            return self.rest();
        }
        let mut due: Vec<Value> = Vec::new();
        if line["seq"].is_u64() && line["turnId"].is_string() {
            due.extend(self.replies.extract_if(.., |open| open["turnId"] == line["turnId"]));
        }
        if line["type"] == "tool-call-end" {
            let mut outputs: Vec<Value> =
                self.outputs.extract_if(.., |open| open["callId"] == line["callId"]).collect();
            outputs.sort_by_key(|open| open["stream"].as_str().map(ToOwned::to_owned));
            due.extend(outputs);
        }
        due
    }

    fn rest(&mut self) -> Vec<Value> {
        self.outputs.sort_by_key(|open| open["stream"].as_str().map(ToOwned::to_owned));
        self.replies.drain(..).chain(self.outputs.drain(..)).collect()
    }
}

fn joined(lines: Vec<Value>) -> Vec<Value> {
    let (mut pieces, mut joined) = (Pieces::default(), Vec::new());
    for line in lines {
        if let Some(line) = pieces.take(line) {
            joined.extend(pieces.before(&line));
            joined.push(line);
        }
    }
    joined.extend(pieces.rest());
    joined
}

/// Calls that follow on each other with nothing between them, each told whole.
fn told_in_turn(lines: &[Value]) -> Vec<Value> {
    let mut told = Vec::new();
    for run in lines.chunk_by(|one, next| is_of_call(one) && is_of_call(next) && one["turnId"] == next["turnId"]) {
        told.extend(if is_of_call(&run[0]) { sorted(run) } else { run.to_vec() });
    }
    told
}

fn is_of_call(line: &Value) -> bool {
    let kinds = ["tool-call-start", "tool-output-chunk", "tool-call-end", "approval-request", "approval-resolved"];
    let kind = line["type"].as_str().unwrap_or_default();
    line["turnId"].is_string() && (kinds.contains(&kind) || call(line).is_some())
}

/// The call that a frame is about.
fn call(line: &Value) -> Option<&str> {
    line["callId"].as_str().or_else(|| line["set"][0]["origin"]["callId"].as_str())
}

fn sorted(run: &[Value]) -> Vec<Value> {
    // A specialist's calls are inside its own.
    if run.iter().any(|line| line["parentCallId"].is_string()) {
        return run.to_vec();
    }
    let mut calls: Vec<(String, Vec<Value>)> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    for line in run {
        let id = call(line).unwrap_or_default();
        let at = ids.iter().position(|known| *known == id).unwrap_or_else(|| {
            ids.push(id);
            calls.push((format!("{} {}", line["tool"], line["arguments"]), Vec::new()));
            calls.len() - 1
        });
        calls[at].1.push(line.clone());
    }
    calls.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut numbers = run.iter().filter_map(|line| line["seq"].as_u64());
    let mut sorted: Vec<Value> = calls.into_iter().flat_map(|(_, lines)| lines).collect();
    for line in sorted.iter_mut().filter(|line| line["seq"].is_u64()) {
        line["seq"] = numbers.next().into();
    }
    sorted
}
