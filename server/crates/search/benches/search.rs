//! How long a search takes among 5,000 and 50,000 tools, and how long one tool takes to be taken in.
//!
//! `cargo bench -p switchboard-search --bench search -- FOLDER`, where FOLDER holds `tools.jsonl` and `queries-*.jsonl` as the
//! command `evaluate` reads them. More tools than the folder has are variations: each takes half of its description from
//! another tool. Each query is searched several times and the fastest counts, so that another program's work does not.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use switchboard_protocol::{Risk, ToolDefinition};
use switchboard_search::ToolIndex;

/// How often each query is searched.
const ROUNDS: usize = 5;

/// How many queries are searched.
const QUERIES: usize = 1000;

fn main() {
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let Some(folder) = folder.map(PathBuf::from) else {
        println!("search: no FOLDER of tools and queries is given, so nothing is measured");
        return;
    };
    let tools: Vec<ToolDefinition> = lines(&folder.join("tools.jsonl")).iter().enumerate().map(tool).collect();
    let queries = queries(&folder);
    println!("{:>8} {:>12} {:>14} {:>14} {:>14}", "tools", "built in ms", "median ms", "p99 ms", "one more ms");
    for count in [tools.len(), 50_000] {
        measure(&tools, count, &queries);
    }
}

fn measure(tools: &[ToolDefinition], count: usize, queries: &[String]) {
    let all: Vec<ToolDefinition> = (0..count).map(|number| variation(tools, number)).collect();
    let index = ToolIndex::new();
    let begun = Instant::now();
    all.iter().for_each(|tool| index.insert(tool));
    let built = begun.elapsed();
    let mut searches: Vec<Duration> =
        queries.iter().map(|query| fastest(|| drop(black_box(index.search(query, 10, 0.3))))).collect();
    let mut inserts: Vec<Duration> = all.iter().take(QUERIES).map(|tool| fastest(|| index.insert(tool))).collect();
    searches.sort();
    inserts.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let at = |times: &[Duration], percent: usize| ms(times[(times.len() - 1) * percent / 100]);
    let (median, p99, insert) = (at(&searches, 50), at(&searches, 99), at(&inserts, 99));
    println!("{count:>8} {:>12.0} {median:>14.3} {p99:>14.3} {insert:>14.3}", ms(built));
}

fn fastest(mut work: impl FnMut()) -> Duration {
    let round = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed()
    };
    (0..ROUNDS).map(round).min().unwrap_or_default()
}

/// The tool itself, or one with the second half of another's description.
fn variation(tools: &[ToolDefinition], number: usize) -> ToolDefinition {
    let tool = &tools[number % tools.len()];
    let generation = number / tools.len();
    if generation == 0 {
        return tool.clone();
    }
    let other = &tools[(number * 31 + generation * 977) % tools.len()];
    let half = |text: &str| text.split_whitespace().count() / 2;
    let first = tool.description.split_whitespace().take(half(&tool.description));
    let second = other.description.split_whitespace().skip(half(&other.description));
    let description: Vec<&str> = first.chain(second).collect();
    ToolDefinition { name: format!("{}_{number}", tool.name), description: description.join(" "), ..tool.clone() }
}

fn tool((number, line): (usize, &Value)) -> ToolDefinition {
    let text = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
    ToolDefinition {
        name: format!("{}_{number}", text("name")),
        description: text("description"),
        module: text("server"),
        parameters: line["parameters"].clone(),
        output: None,
        example: Value::Null,
        risk: Risk::Network,
        examples: Vec::new(),
    }
}

/// Some of the queries of all files, evenly spread.
fn queries(folder: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("queries-")));
    files.sort();
    let all: Vec<String> = files
        .iter()
        .flat_map(|file| lines(file))
        .map(|line| line["query"].as_str().unwrap_or_default().to_owned())
        .collect();
    let step = (all.len() / QUERIES).max(1);
    all.into_iter().step_by(step).take(QUERIES).collect()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}
