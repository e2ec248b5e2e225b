//! Runs of tools as lines: what is called, its output as it comes, how it ended.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, ServerMessage, Stream};

use super::diff::diff_lines;
use super::sanitize::{short, visible, without_escapes};
use super::style::Style;

/// Lines of output that are shown of one call; all of it is in the result.
const MOST_LINES: usize = 500;
/// The longest line that waits for its end.
const LONGEST_LINE: usize = 16 * 1024;

/// The calls that run.
#[derive(Debug, Default)]
pub(super) struct Calls {
    running: HashMap<CallId, Call>,
}

#[derive(Debug)]
struct Call {
    tool: String,
    indent: &'static str,
    outputs: HashMap<Stream, Output>,
    lines: usize,
}

#[derive(Debug, Default)]
struct Output {
    /// Bytes that have come.
    seen: u64,
    /// The line that has no end yet.
    line: String,
}

/// How a call ended.
struct CallEnd<'a> {
    call: &'a CallId,
    tool: &'a str,
    success: bool,
    preview: &'a [String],
    /// What changed in files.
    diff: Option<&'a str>,
    variable: Option<&'a str>,
    duration_ms: u64,
    error: &'a str,
    suggestion: Option<&'a str>,
}

impl Calls {
    /// What a frame about a call adds to the screen; other frames add nothing.
    pub(super) fn frame(&mut self, message: &ServerMessage, style: Style) -> Vec<String> {
        match message {
            ServerMessage::ToolCallStart { call_id, parent_call_id, tool, title, arguments, references, .. } => {
                let call = call_text(tool, arguments, references.as_ref());
                let shown = match title {
                    Some(title) => format!("{} {}", short(title, 120), style.dim(&call)),
                    None => call,
                };
                self.start(call_id, parent_call_id.is_some(), tool, &shown, style)
            }
            ServerMessage::ToolOutputChunk { call_id, stream, offset, chunk } => {
                self.output(call_id, *stream, *offset, chunk, style)
            }
            other => CallEnd::of(other).map(|end| self.end(&end, style)).unwrap_or_default(),
        }
    }

    fn start(&mut self, call: &CallId, nested: bool, tool: &str, shown: &str, style: Style) -> Vec<String> {
        let indent = if nested { "    " } else { "  " };
        let call_of = Call { tool: visible(tool), indent, outputs: HashMap::new(), lines: 0 };
        self.running.insert(call.clone(), call_of);
        vec![format!("{indent}{} {shown}", style.cyan("▸"))]
    }

    /// A piece of output that begins at this byte of its stream.
    fn output(&mut self, call: &CallId, stream: Stream, offset: u64, chunk: &str, style: Style) -> Vec<String> {
        let several = self.running.len() > 1;
        let Some(call) = self.running.get_mut(call) else { return Vec::new() };
        let lines = call.outputs.entry(stream).or_default().take(offset, chunk);
        lines.iter().filter_map(|line| call.show(line, stream, several, style)).collect()
    }

    fn end(&mut self, end: &CallEnd<'_>, style: Style) -> Vec<String> {
        let several = self.running.len() > 1;
        let mut call = self.running.remove(end.call).unwrap_or_else(|| Call {
            tool: visible(end.tool),
            indent: "  ",
            outputs: HashMap::new(),
            lines: 0,
        });
        let mut lines = Vec::new();
        for (stream, mut output) in std::mem::take(&mut call.outputs) {
            if !output.line.is_empty() {
                let line = without_escapes(&std::mem::take(&mut output.line));
                lines.extend(call.show(&line, stream, several, style));
            }
        }
        if let Some(diff) = end.diff {
            let (indent, bar) = (call.indent, style.dim("│"));
            lines.extend(diff_lines(diff, style).iter().map(|line| format!("{indent}{bar} {line}")));
        } else if call.lines == 0 && end.success {
            for line in end.preview {
                lines.extend(call.show(&without_escapes(line), Stream::Stdout, several, style));
            }
        }
        lines.extend(call.verdict(end, style));
        lines
    }

    /// Forgets what ran, because its turn is over.
    pub(super) fn clear(&mut self) {
        self.running.clear();
    }
}

impl<'a> CallEnd<'a> {
    fn of(message: &'a ServerMessage) -> Option<Self> {
        let ServerMessage::ToolCallEnd {
            call_id,
            tool,
            success,
            preview,
            output_variable,
            duration_ms,
            error,
            suggestion,
            diff,
            ..
        } = message
        else {
            return None;
        };
        Some(Self {
            call: call_id,
            tool,
            success: *success,
            preview,
            diff: diff.as_deref(),
            variable: output_variable.as_deref(),
            duration_ms: *duration_ms,
            error,
            suggestion: suggestion.as_deref(),
        })
    }
}

impl Call {
    fn show(&mut self, line: &str, stream: Stream, several: bool, style: Style) -> Option<String> {
        self.lines += 1;
        let (indent, bar) = (self.indent, style.dim("│"));
        if self.lines > MOST_LINES {
            let note = "… more output; all of it is in the result";
            return (self.lines == MOST_LINES + 1).then(|| format!("{indent}{bar} {}", style.dim(note)));
        }
        let name = if several { format!("{}: ", self.tool) } else { String::new() };
        let text = match stream {
            Stream::Stdout => line.to_owned(),
            Stream::Stderr => style.yellow(line),
            Stream::Progress => style.dim(line),
        };
        Some(format!("{indent}{bar} {name}{text}"))
    }

    fn verdict(&self, end: &CallEnd<'_>, style: Style) -> Vec<String> {
        let (indent, tool) = (self.indent, &self.tool);
        if end.success {
            let stored = end.variable.map(|name| format!(" → @{}", visible(name))).unwrap_or_default();
            let told = style.dim(&format!("{tool}, {}{stored}", duration(end.duration_ms)));
            return vec![format!("{indent}{} {told}", style.green("✓"))];
        }
        let mut error = visible(end.error);
        if !error.starts_with(tool.as_str()) {
            error = format!("{tool}: {error}");
        }
        let mut lines: Vec<String> = error.lines().map(|line| format!("{indent}  {line}")).collect();
        if let Some(first) = lines.first_mut() {
            *first = format!("{indent}{} {}", style.red("✗"), first.trim_start());
        }
        lines.extend(end.suggestion.map(|text| format!("{indent}  {}", style.dim(&short(text, 500)))));
        lines
    }
}

impl Output {
    /// The lines that this piece completes.
    fn take(&mut self, offset: u64, chunk: &str) -> Vec<String> {
        let new = match usize::try_from(self.seen.saturating_sub(offset)) {
            Ok(known) => chunk.get(known.min(chunk.len())..).unwrap_or(chunk),
            Err(_) => return Vec::new(),
        };
        let mut lines = Vec::new();
        if offset > self.seen && self.seen > 0 {
            lines.push("…".to_owned());
        }
        self.seen = self.seen.max(offset + chunk.len() as u64);
        for part in new.split_inclusive('\n') {
            self.line.push_str(part);
            if part.ends_with('\n') || self.line.len() > LONGEST_LINE {
                let line = std::mem::take(&mut self.line);
                lines.push(without_escapes(line.trim_end_matches(['\n', '\r'])));
            }
        }
        lines
    }
}

/// A call as people read it: `file_read(path="a.txt", content=@text)`.
pub(super) fn call_text(
    tool: &str,
    arguments: &Map<String, Value>,
    references: Option<&BTreeMap<String, String>>,
) -> String {
    let reference = |name: &str| references.and_then(|references| references.get(name));
    let given = arguments.iter().map(|(name, value)| match reference(name) {
        Some(variable) => format!("{name}=@{variable}"),
        None => format!("{name}={}", short(&value.to_string(), 80)),
    });
    let within = references.into_iter().flatten().filter(|(path, _)| !arguments.contains_key(path.as_str()));
    let all: Vec<String> = given.chain(within.map(|(path, variable)| format!("{path}=@{variable}"))).collect();
    short(&format!("{tool}({})", all.join(", ")), 240)
}

fn duration(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) }
}
