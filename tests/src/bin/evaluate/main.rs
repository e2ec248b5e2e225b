//! Tries the server's own tool index and rules reasoner on a folder of recorded queries, and writes what they answer.
//!
//! `evaluate FOLDER --out FILE [--embeddings-url URL] [--writes]`: FOLDER holds `tools.jsonl` and `queries-*.jsonl`, FILE takes one prediction a line
//! (`ranked`, `selected`, `arguments`, `calls`) for `score.py`. The times and the figures are printed: those of all
//! queries, and those of two halves.
//!
//! `selected` is the tool that the rules settle on, whether they call it or ask the user for what the request lacks;
//! where they ask there are no `calls`. So asking about a tool that does not fit counts as choosing it.
//!
//! With `--writes` all tools are taken as ones that change something, else as ones that only read.
//! With a URL an OpenAI-compatible `/embeddings` is in place of the table of words, except where searches are timed.

mod equal;
mod folder;
mod rules;
mod score;
mod table;
mod times;

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use switchboard::app::tool_index;
use switchboard_llm::EmbeddingsConfig;
use switchboard_protocol::ToolDefinition;
use switchboard_search::ToolIndex;

use folder::{Folder, Query};
use rules::Decider;
use score::score;
use table::Table;
use times::Times;

/// How many tools are ranked: the scorer counts versions of one tool once, and looks at ten.
const RANKED: usize = 50;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let all = words.len();
    words.retain(|word| *word != "--writes");
    let writes = words.len() < all;
    let (folder, out, url) = match words.as_slice() {
        [folder, "--out", out] => (folder, out, None),
        [folder, "--out", out, "--embeddings-url", url] => (folder, out, Some(*url)),
        _ => bail!("usage: evaluate FOLDER --out FILE [--embeddings-url URL] [--writes]"),
    };
    let url = url.map(str::parse).transpose().context("--embeddings-url is not an address")?;
    let embeddings = EmbeddingsConfig { url, ..EmbeddingsConfig::default() };
    let folder = Folder::read(Path::new(folder), writes)?;
    let out = PathBuf::from(out);
    let file = File::create(&out).with_context(|| format!("failed to write {}", out.display()))?;
    evaluate(&folder, &embeddings, &mut BufWriter::new(file)).await
}

async fn evaluate(folder: &Folder, embeddings: &EmbeddingsConfig, out: &mut impl Write) -> Result<()> {
    let begun = Instant::now();
    let index = index_of(folder.tools.all(), embeddings).await;
    println!("index:     {} tools in {:.0} ms", index.len(), begun.elapsed().as_secs_f64() * 1000.0);
    let decider = Decider::default();
    let mut table = Table::default();
    let (mut searches, mut decisions) = (Times::default(), Times::default());
    // What is measured is the steady state, not the first touch.
    for query in folder.queries.iter().take(200) {
        black_box(index.search(&query.text, 10, 0.3));
    }
    for query in &folder.queries {
        searches.take(|| index.search(&query.text, 10, 0.3));
        let prediction = predict(folder, &index, embeddings, &decider, query, &mut decisions).await?;
        table.add(query, &score(query, &prediction, &folder.tools));
        writeln!(out, "{prediction}").context("failed to write a prediction")?;
    }
    out.flush().context("failed to write the predictions")?;
    println!("queries: {}", folder.queries.len());
    println!("search:    {searches}");
    println!("decision:  {decisions}\n\n{table}");
    Ok(())
}

/// What the server makes of a query: against all tools, or, where the query brings its own, against those alone.
async fn predict(
    folder: &Folder,
    index: &ToolIndex,
    embeddings: &EmbeddingsConfig,
    decider: &Decider,
    query: &Query,
    decisions: &mut Times,
) -> Result<Value> {
    let tools = &folder.tools;
    let ranked: Vec<&str> =
        index.find(&query.text, RANKED, 0.0).await.iter().filter_map(|found| tools.id(&found.name)).collect();
    let own;
    let index = match query.candidates.as_slice() {
        [] => index,
        candidates => {
            own = index_of(candidates.iter().filter_map(|id| tools.of_id(id)), embeddings).await;
            &own
        }
    };
    let decided = decider.decide(&query.text, tools, index).await?;
    decisions.add(decided.took);
    let calls: Vec<Value> =
        decided.calls.iter().map(|(name, arguments)| json!({"tool": tools.id(name), "arguments": arguments})).collect();
    let asked = decided.asked.map(|(name, arguments)| json!({"tool": tools.id(&name), "arguments": arguments}));
    let first = calls.first().cloned().or(asked.clone()).unwrap_or_default();
    let mut prediction = json!({"id": query.id, "ranked": ranked, "selected": first["tool"]});
    if let Some(arguments) = first.get("arguments") {
        prediction["arguments"] = arguments.clone();
    }
    if asked.is_none() {
        prediction["calls"] = json!(calls);
    }
    prediction["confidence"] = json!(decided.confidence);
    Ok(prediction)
}

/// The tools, read by the encoder if there is one.
async fn index_of<'a>(tools: impl IntoIterator<Item = &'a ToolDefinition>, embeddings: &EmbeddingsConfig) -> ToolIndex {
    let index = tool_index(embeddings);
    for tool in tools {
        index.insert(tool);
    }
    index.read_all().await;
    index
}
