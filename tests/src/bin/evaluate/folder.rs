//! A folder of tools and queries, read as the server would meet them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use switchboard_protocol::{Risk, ToolDefinition};

/// Tools and queries.
pub(crate) struct Folder {
    /// The tools.
    pub(crate) tools: Tools,
    /// The queries of all files, in the order of the files' names.
    pub(crate) queries: Vec<Query>,
}

/// The tools as a registry would hold them: each under a name of its own.
pub(crate) struct Tools {
    definitions: Vec<ToolDefinition>,
    ids: HashMap<String, String>,
    places: HashMap<String, usize>,
    groups: HashMap<String, String>,
}

/// A query.
pub(crate) struct Query {
    /// Its id.
    pub(crate) id: String,
    /// What is asked.
    pub(crate) text: String,
    /// The ids of the tools that it brings itself; none: all tools there are.
    pub(crate) candidates: Vec<String>,
    /// Where it is from, and of which kind it is.
    pub(crate) source: String,
    pub(crate) category: String,
    /// Whether a tool is due: among its candidates, if it brings some.
    pub(crate) needs_tool: bool,
    /// The ids of the wanted tools, and of those that count as one of them.
    pub(crate) gold: Vec<String>,
    pub(crate) alternatives: BTreeMap<String, Vec<String>>,
    /// The wanted calls.
    pub(crate) args: Vec<Value>,
}

impl Folder {
    /// Reads `tools.jsonl` and all `queries-*.jsonl`. `writes`: the tools are taken as ones that change something.
    pub(crate) fn read(folder: &Path, writes: bool) -> Result<Self> {
        let tools = Tools::new(&lines(&folder.join("tools.jsonl"))?, writes)?;
        let entries = fs::read_dir(folder).with_context(|| format!("failed to list {}", folder.display()))?;
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("queries-") && name.ends_with(".jsonl")
        });
        files.sort();
        if files.is_empty() {
            bail!("{} holds no queries-*.jsonl", folder.display());
        }
        let mut queries = Vec::new();
        for file in files {
            for line in lines(&file)? {
                queries.push(Query::read(&line)?);
            }
        }
        Ok(Self { tools, queries })
    }
}

impl Query {
    fn read(line: &Value) -> Result<Self> {
        let many = |field: &str| serde_json::from_value(line[field].clone()).unwrap_or_default();
        Ok(Self {
            id: text(line, "id")?,
            text: text(line, "query")?,
            candidates: many("candidates"),
            source: text(line, "source")?,
            category: text(line, "category")?,
            needs_tool: line["needs_tool"].as_bool().unwrap_or(true),
            gold: many("gold"),
            alternatives: serde_json::from_value(line["alt"].clone()).unwrap_or_default(),
            args: line["args"].as_array().cloned().unwrap_or_default(),
        })
    }
}

impl Tools {
    fn new(lines: &[Value], writes: bool) -> Result<Self> {
        let mut tools =
            Self { definitions: Vec::new(), ids: HashMap::new(), places: HashMap::new(), groups: HashMap::new() };
        let mut taken = HashSet::new();
        for line in lines {
            let (id, server) = (text(line, "id")?, line["server"].as_str().unwrap_or_default());
            let name = unique(&registered(server, &text(line, "name")?), &mut taken);
            tools.ids.insert(name.clone(), id.clone());
            tools.groups.insert(id.clone(), line["group"].as_str().unwrap_or(&id).to_owned());
            tools.places.insert(id, tools.definitions.len());
            tools.definitions.push(ToolDefinition {
                name,
                description: line["description"].as_str().unwrap_or_default().to_owned(),
                module: server.to_owned(),
                parameters: line["parameters"].clone(),
                output: None,
                example: Value::Null,
                risk: if writes { Risk::Network } else { Risk::Read },
                examples: Vec::new(),
            });
        }
        Ok(tools)
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[ToolDefinition] {
        &self.definitions
    }

    /// The id of the tool that is registered as `name`.
    pub(crate) fn id(&self, name: &str) -> Option<&str> {
        self.ids.get(name).map(String::as_str)
    }

    /// What versions of one tool have in common; of an unknown id the id.
    pub(crate) fn group<'t>(&'t self, id: &'t str) -> &'t str {
        self.groups.get(id).map_or(id, String::as_str)
    }

    /// The tool of this id.
    pub(crate) fn of_id(&self, id: &str) -> Option<&ToolDefinition> {
        self.places.get(id).map(|place| &self.definitions[*place])
    }

    /// The tool that is registered as `name`.
    pub(crate) fn named(&self, name: &str) -> Option<&ToolDefinition> {
        self.of_id(self.id(name)?)
    }
}

/// A name as the registry takes it: a server's tools begin with the server.
fn registered(server: &str, name: &str) -> String {
    let legal = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c), "_");
    if server.is_empty() { legal(name) } else { format!("{}__{}", legal(server), legal(name)) }
}

/// Another version of a tool gets a number.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut unique = name.to_owned();
    let mut number = 1;
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{name}_{number}");
    }
    unique
}

fn lines(path: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
    let parse = |(number, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("line {} of {} is not JSON", number + 1, path.display()))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}

fn text(line: &Value, field: &str) -> Result<String> {
    line[field].as_str().map(str::to_owned).with_context(|| format!("no text `{field}` in {line}"))
}
