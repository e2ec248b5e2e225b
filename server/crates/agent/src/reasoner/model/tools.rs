//! The tools that a model is shown: as many of them, and as much of each, as its window has room for. Small models lose
//! the thread in long definitions, and where they run, every token of a prompt is waited for.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;
use switchboard_protocol::ToolDefinition;

use super::prompt::{Prompt, section};
use crate::reasoner::{CandidateTool, TurnContext, add_candidates};

use switchboard_search::Likeness;
use switchboard_tools::{Length, RegisteredTool, first_sentence, size};

/// How many tools a model with a small window chooses between, if not all of them fit.
const FEW: usize = 5;

/// What is less likely than this does not suggest that a tool is needed.
const LIKELY: f64 = 0.6;

impl Prompt {
    /// The tools that a model is offered: all of them, by name, if they fit or the agent's file names them; else those that were used in this session and
    /// those that were found, and beside them Switchboard's own, as far as they fit: most requests begin with one of those.
    /// What is always the same can be kept by the provider.
    pub(in crate::reasoner) fn offered(self, context: &TurnContext<'_>, found: &[CandidateTool]) -> Vec<CandidateTool> {
        let all = context.registry.all();
        let of = |name: &str| found.iter().find(|found| found.definition.name == name);
        let used_before = |name: &str| {
            context.view.operations.iter().any(|operation| operation.tool == name)
                || context.attempts.iter().any(|attempt| attempt.tool == name)
        };
        let wanted = |name: &str| of(name).is_some() || used_before(name);
        let no_room = self.has_no_room_for_windows(context);
        let stays = |name: &str| match no_room {
            true => used_before(name),
            false => context.view.viewers > 0 && wanted(name),
        };
        if let Some((tools, length)) = self.whole(context, stays) {
            let known = |tool: CandidateTool| {
                let confidence = of(&tool.definition.name).map_or(0.0, |found| found.confidence);
                CandidateTool { confidence, ..tool }
            };
            return told(&tools, length).into_iter().map(known).collect();
        }
        let used = |tool: &CandidateTool| used_before(&tool.definition.name);
        let all = told(&all, Length::Whole);
        let mut pool: Vec<CandidateTool> = all.iter().filter(|tool| used(tool)).cloned().collect();
        add_candidates(&mut pool, found.to_vec());
        if !self.is_small() {
            pool = pool.iter().map(shortened).collect();
            add_candidates(&mut pool, all.iter().filter(|tool| !is_of_server(tool)).map(shortened).collect());
        }
        let mut offered = self.fitting(&pool, used);
        self.put_in_order(&mut offered);
        offered
    }

    /// A small window shows others with each request, so nothing of them can be kept, and a small model takes what comes
    /// first: the likeliest. Else what is there whatever is asked comes first, in the same order each time.
    fn put_in_order(self, offered: &mut [CandidateTool]) {
        if self.is_small() {
            offered.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
            return;
        }
        offered.sort_by_cached_key(|tool| match is_of_server(tool) {
            true => (true, String::new()),
            false => (false, tool.definition.name.clone()),
        });
    }

    /// Whether all tools are offered, so that none need be searched for.
    pub(in crate::reasoner) fn offers_all(self, context: &TurnContext<'_>) -> bool {
        // With a client that shows windows a search says what of them stays, so all must fit.
        self.whole(context, |_| context.view.viewers > 0).is_some()
    }

    /// The tools that are offered as a whole, and how much of each: all, else all without those for clients that show
    /// windows, but for those that stay.
    fn whole(
        self,
        context: &TurnContext<'_>,
        stays: impl Fn(&str) -> bool,
    ) -> Option<(Vec<Arc<RegisteredTool>>, Length)> {
        let all = context.registry.all();
        let fits = |tools: &[Arc<RegisteredTool>]| self.length_that_fits(tools, context.declared);
        if !self.has_no_room_for_windows(context)
            && let Some(length) = fits(&all)
        {
            return Some((all, length));
        }
        let rest = without_windows(&all, stays);
        let length = fits(&rest)?;
        Some((rest, length))
    }

    /// Whether what is for clients that show windows is left out, unless it was used.
    fn has_no_room_for_windows(self, context: &TurnContext<'_>) -> bool {
        self.is_small() && context.view.viewers == 0 && !context.declared
    }

    /// With how much of their definitions there is room for all of these tools; none if even the least is too much, unless
    /// they are those that the agent's file names.
    fn length_that_fits(self, tools: &[Arc<RegisteredTool>], declared: bool) -> Option<Length> {
        let fits = |length, room: usize| tools.iter().map(|tool| tool.told(length).1).sum::<usize>() <= room;
        if !self.is_small() && fits(Length::Whole, self.room_for_tools()) {
            Some(Length::Whole)
        } else if fits(Length::Short, self.room_for_tools()) {
            Some(Length::Short)
        } else {
            (declared || fits(Length::Brief, self.room_for_brief_tools())).then_some(Length::Brief)
        }
    }

    /// Those of the tools that are shown: what `matters` first, then the likeliest, in the order in which they were found.
    /// At least one, if there is any. For a small window their definitions are shortened.
    pub(in crate::reasoner) fn fitting(
        self,
        found: &[CandidateTool],
        matters: impl Fn(&CandidateTool) -> bool,
    ) -> Vec<CandidateTool> {
        let most = if self.is_small() { FEW } else { usize::MAX };
        let mut tools: Vec<(usize, CandidateTool)> =
            found.iter().map(|tool| if self.is_small() { shortened(tool) } else { tool.clone() }).enumerate().collect();
        tools.sort_by(|(_, a), (_, b)| {
            Reverse(matters(a)).cmp(&Reverse(matters(b))).then(b.confidence.total_cmp(&a.confidence))
        });
        let mut room = self.room_for_tools();
        let mut fitting: Vec<(usize, CandidateTool)> = Vec::new();
        for (place, tool) in tools.into_iter().take(most) {
            let left = room.checked_sub(size(&tool.definition));
            if left.is_some() || fitting.is_empty() {
                fitting.push((place, tool));
            }
            room = left.unwrap_or(room);
        }
        fitting.sort_by_key(|(place, _)| *place);
        fitting.into_iter().map(|(_, tool)| tool).collect()
    }

    /// Tools to choose between, and then how well the search found that they fit: what changes with each request comes
    /// after what stays, so that a provider can keep it.
    pub(in crate::reasoner) fn tools(self, candidates: &[CandidateTool]) -> String {
        let (mut text, mut confidences) = (String::new(), String::new());
        for CandidateTool { definition, confidence, .. } in candidates {
            let _ =
                writeln!(text, "- {}: {}\n  Module: {}", definition.name, definition.description, definition.module);
            let _ = match self.is_small() {
                // Without an example: small models copy it.
                true => writeln!(text, "  Inputs: {}", signature(&definition.parameters)),
                false => writeln!(text, "  Inputs: {}\n  Example: {}", definition.parameters, definition.example),
            };
            let _ = writeln!(confidences, "- {}: {:.1}%", definition.name, confidence * 100.0);
        }
        if text.is_empty() {
            text.push_str("(none)\n");
        }
        [section("Tools", "tools", &text), section("Confidence of the search", "confidence", &confidences)].concat()
    }

    /// The likely tools, a line each: what could be done.
    pub(in crate::reasoner) fn likely_tools(self, found: &[CandidateTool]) -> String {
        let likely = found.iter().filter(|tool| tool.confidence >= LIKELY).take(FEW);
        let lines = likely
            .map(|tool| format!("- {}: {}\n", tool.definition.name, first_sentence(&tool.definition.description)));
        let text: String = lines.collect();
        section("Tools from the search", "tools", if text.is_empty() { "(none)" } else { &text })
    }
}

fn shortened(tool: &CandidateTool) -> CandidateTool {
    CandidateTool { definition: Arc::new(switchboard_tools::shortened(&tool.definition)), ..tool.clone() }
}

/// The tools without those that are for clients that show windows, unless they are wanted all the same.
fn without_windows(all: &[Arc<RegisteredTool>], wanted: impl Fn(&str) -> bool) -> Vec<Arc<RegisteredTool>> {
    let stays = |tool: &&Arc<RegisteredTool>| {
        let spec = tool.spec();
        !spec.for_viewers || wanted(&spec.definition.name)
    };
    all.iter().filter(stays).cloned().collect()
}

/// Whether it is a tool of an MCP server: their names begin with the server's.
fn is_of_server(tool: &CandidateTool) -> bool {
    let ToolDefinition { name, module, .. } = &*tool.definition;
    name.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("__"))
}

/// The tools in this length.
fn told(tools: &[Arc<RegisteredTool>], length: Length) -> Vec<CandidateTool> {
    let told = |tool: &Arc<RegisteredTool>| CandidateTool {
        definition: Arc::clone(tool.told(length).0),
        confidence: 0.0,
        likeness: Likeness::default(),
        reasons: Vec::new(),
        of_part: false,
    };
    tools.iter().map(told).collect()
}

/// Parameters in the way of a function's head: `{path: string (the file), limit?: integer}`.
fn signature(schema: &Value) -> String {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return "{}".to_owned() };
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let parameters = properties.iter().map(|(name, property)| {
        let is_required = required.iter().any(|other| other == name);
        let about = property.get("description").and_then(Value::as_str).filter(|_| is_required);
        let about = about.map(|about| format!(" ({about})")).unwrap_or_default();
        format!("{name}{}: {}{about}", if is_required { "" } else { "?" }, kind(property))
    });
    format!("{{{}}}", parameters.collect::<Vec<_>>().join(", "))
}

fn kind(property: &Value) -> String {
    if let Some(Value::Array(choices)) = property.get("enum") {
        return choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    }
    match property.get("type") {
        Some(Value::String(kind)) if kind == "array" => {
            format!("{}[]", property.get("items").map_or_else(|| "any".to_owned(), kind_of_items))
        }
        Some(Value::String(kind)) => kind.clone(),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" | "),
        _ => "any".to_owned(),
    }
}

fn kind_of_items(items: &Value) -> String {
    items.get("type").and_then(Value::as_str).unwrap_or("any").to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use switchboard_protocol::Risk;

    use super::*;
    use switchboard_tools::test_support::spec;

    fn tool(name: &str, confidence: f64, words: usize) -> CandidateTool {
        let mut definition = spec(name, Risk::Read).definition;
        definition.description = format!("Does {name}. {}", "More of it. ".repeat(words));
        definition.parameters = json!({
            "type": "object",
            "properties": {
                "paths": {"type": "array", "items": {"type": "string"}, "description": "The files. One or more."},
                "mode": {"enum": ["a", "b"], "description": "How."},
            },
            "required": ["paths"],
        });
        CandidateTool {
            definition: Arc::new(definition),
            confidence,
            likeness: Likeness::default(),
            reasons: Vec::new(),
            of_part: false,
        }
    }

    fn names(tools: &[CandidateTool]) -> Vec<&str> {
        tools.iter().map(|tool| tool.definition.name.as_str()).collect()
    }

    #[test]
    fn a_small_window_has_few_and_short_definitions() {
        let small = Prompt::new(Some(4096));
        let found: Vec<CandidateTool> =
            (0..9).map(|n| tool(&format!("t{n}"), 0.9 - 0.1 * f64::from(n), 1000)).collect();

        let shown = small.fitting(&found, |tool| tool.definition.name == "t8");

        assert_eq!(names(&shown), ["t0", "t1", "t2", "t3", "t8"], "what matters, then the likeliest, as found");
        assert_eq!(shown[0].definition.description, "Does t0");
        let text = small.tools(&shown);
        assert!(
            text.contains("- t0: Does t0\n  Module: ")
                && text.contains("  Inputs: {paths: string[] (The files), mode?: \"a\" | \"b\"}\n- t1")
                && text.contains("\n- t0: 90.0%\n"),
            "{text}"
        );
        assert!(!text.contains("Example"), "{text}");
    }

    #[test]
    fn definitions_have_their_share_of_a_large_window_and_one_is_always_shown() {
        let large = Prompt::new(Some(32 * 1024));
        let found = [tool("huge", 0.9, 10_000), tool("long", 0.5, 1000), tool("short", 0.4, 1)];

        assert_eq!(names(&large.fitting(&found, |_| false)), ["huge", "long", "short"]);
        assert_eq!(names(&large.fitting(&found, |tool| tool.definition.name == "long")), ["long", "short"]);
        assert!(large.tools(&found).contains("Example: "));
        assert!(large.fitting(&[], |_| false).is_empty());
    }

    #[test]
    fn a_small_window_shows_the_likeliest_first_and_a_large_one_the_same_order_always() {
        for (tokens, expected) in [(4096, ["write", "edit"]), (32 * 1024, ["edit", "write"])] {
            let mut offered = [tool("edit", 0.55, 9), tool("write", 0.76, 9)];
            Prompt::new(Some(tokens)).put_in_order(&mut offered);
            assert_eq!(names(&offered), expected, "{tokens}");
        }
    }

    #[test]
    fn only_likely_tools_suggest_that_one_is_needed() {
        let text = Prompt::new(None).likely_tools(&[tool("likely", 0.65, 9), tool("unlikely", 0.55, 9)]);
        assert!(text.contains("- likely: Does likely\n") && !text.contains("unlikely"), "{text}");
        assert!(Prompt::new(None).likely_tools(&[]).contains("(none)"));
    }
}
