//! `switchboard tools [QUERY]`: what the agent can do, and what it would find for a request; needs no server.

use std::fmt::Write;

use anyhow::Context;
use serde_json::json;
use switchboard_protocol::{Risk, ToolDefinition};

use super::config::print;
use crate::app;
use switchboard_builtin::{ShellConfig, WebConfig};
use switchboard_llm::EmbeddingsConfig;

/// How many tools a search shows.
const FOUND: usize = 10;

/// A tool to be shown, and how well it fits if somebody asked.
struct Shown {
    tool: ToolDefinition,
    confidence: Option<f64>,
}

/// Prints the tools; with words in `query`, those that fit.
pub(super) fn list(query: &str, as_json: bool) -> anyhow::Result<()> {
    let (registry, index) = app::tools(&ShellConfig::default(), &WebConfig::default(), &EmbeddingsConfig::default())?;
    let tools: Vec<Shown> = if query.trim().is_empty() {
        registry.definitions().into_iter().map(|tool| Shown { tool, confidence: None }).collect()
    } else {
        let found = index.search(query, FOUND, 0.0).into_iter();
        let tool = |name: &str| registry.get(name).map(|tool| tool.spec().definition.clone());
        found.filter_map(|found| Some(Shown { tool: tool(&found.name)?, confidence: Some(found.confidence) })).collect()
    };
    if as_json {
        return print(&format!("{}\n", as_json_text(&tools)?));
    }
    if tools.is_empty() {
        return print("No tool fits these words. `switchboard tools` lists all tools.\n");
    }
    print(&as_table(&tools))
}

fn as_json_text(tools: &[Shown]) -> anyhow::Result<String> {
    let list: Vec<_> = tools
        .iter()
        .map(|shown| {
            let mut tool = serde_json::to_value(&shown.tool).unwrap_or_default();
            if let Some(confidence) = shown.confidence {
                tool["confidence"] = json!(confidence);
            }
            tool
        })
        .collect();
    serde_json::to_string_pretty(&list).context("cannot write the tools as JSON")
}

fn as_table(tools: &[Shown]) -> String {
    let width = |text: fn(&Shown) -> &str| tools.iter().map(|shown| text(shown).len()).max().unwrap_or(0);
    let (names, modules) = (width(|shown| &shown.tool.name), width(|shown| &shown.tool.module));
    let mut text = String::new();
    for Shown { tool, confidence } in tools {
        let fit = confidence.map(|confidence| format!("{:>4.0}%  ", confidence * 100.0)).unwrap_or_default();
        let about = first_words(&tool.description);
        let _ = writeln!(text, "{fit}{:names$}  {:modules$}  {:7}  {about}", tool.name, tool.module, risk(tool.risk));
    }
    text
}

fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Read => "read",
        Risk::Write => "write",
        Risk::Execute => "execute",
        Risk::Network => "network",
        Risk::Ui => "ui",
    }
}

/// What comes before the explanation.
fn first_words(text: &str) -> &str {
    [". ", ": "].into_iter().filter_map(|end| text.find(end)).min().map_or(text, |end| &text[..end])
}
