//! What `it`, `them` and `the second one` mean: the last file, folder, list, number and value, read from the operations of
//! the session, so that a new turn knows what the last one did, and so does a resumed session.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use switchboard_nlu::Step;
use switchboard_protocol::{Operation, Risk, ValueType, Variable};

use super::plan::{Filler, HELD, Plan};
use super::roles::Roles;
use super::shown::figure;
use super::tabular;
use super::world::Seen;
use crate::ops::{entries, plain};
use switchboard_agent::{TurnContext, UserMessage};
use switchboard_events::ArtifactValue;
use switchboard_tables::Schema;

/// How many operations are looked at.
const LOOK_BACK: usize = 50;

/// A larger file's tables are not kept in mind.
const MAX_TABLE_BYTES: u64 = 2 * 1024 * 1024;

/// How many values are looked into for their keys, and how large they may be.
const MAX_SEARCHED: usize = 20;
const MAX_SEARCHED_BYTES: u64 = 64 * 1024;

/// How deep keys are known.
const MAX_KEY_DEPTH: usize = 3;

/// Where calls name paths.
const PATHS: &[&str] =
    &["file_paths", "paths", "path", "filePath", "file_path", "directory", "folder", "resource_handle"];

/// What was last spoken of, by its kind.
#[derive(Default)]
pub(super) struct Recent {
    /// The files of the latest call that has some.
    pub(super) files: Vec<String>,
    /// How many calls ago that was.
    files_ago: usize,
    pub(super) folder: Option<String>,
    /// The names in the latest list, as paths.
    pub(super) list: Vec<String>,
    /// The variable with the latest value, as a reference.
    pub(super) value: Option<String>,
    /// How many calls ago that was.
    value_ago: usize,
    /// The variable with the latest number.
    pub(super) number: Option<String>,
    /// Whether the latest call gave it.
    pub(super) number_is_new: bool,
    /// The figure that the last reply tells.
    pub(super) figure: Option<f64>,
    /// The one file that the last reply names.
    pub(super) named: Option<String>,
    /// Whether the latest call changed something.
    pub(super) changed: bool,
    /// The latest call that failed, if none has worked since.
    pub(super) failure: Option<Operation>,
    /// The keys that the newest variables hold values under, as names are compared.
    pub(super) keys: HashSet<String>,
    /// The tables of the latest file, if it has some.
    pub(super) tables: Vec<Schema>,
    /// The texts of all files with tables, if a question that names none was asked of them after any file was spoken of.
    looked_at: Option<Arc<ArtifactValue>>,
    all_tables: OnceLock<Vec<Schema>>,
    /// Files that were read since anything could have changed them, each with a reference to its text.
    held: Vec<(String, String)>,
}

impl Recent {
    pub(super) async fn of(scene: &TurnContext<'_>, world: &Seen<'_>) -> Self {
        let mut recent = Self::default();
        let context = &scene.view.context;
        let mut listed = None;
        let mut untouched = true;
        for (ago, operation) in scene.view.operations.iter().rev().take(LOOK_BACK).enumerate() {
            if !operation.success {
                if ago == 0 {
                    recent.failure = Some(Operation::clone(operation));
                }
                continue;
            }
            let risk = scene.registry.get(&operation.tool).map_or(Risk::Write, |tool| tool.spec().definition.risk);
            untouched &= matches!(risk, Risk::Read | Risk::Ui);
            recent.changed |= ago == 0 && risk == Risk::Write;
            let paths = paths_of(operation);
            let files: Vec<String> = paths.iter().filter(|path| world.is_file(path)).cloned().collect();
            // A look through all the tables is about none of them yet.
            let looked = files.len() > 1 && tabular::are_all(&files, world);
            if recent.files.is_empty() && !files.is_empty() && !looked {
                (recent.files, recent.files_ago) = (files, ago);
            }
            if looked && recent.files.is_empty() && recent.looked_at.is_none() {
                let given = given(operation, scene).await;
                recent.looked_at = given.filter(|value| texts_of(value).next().is_some());
            }
            if recent.tables.is_empty() && recent.files_ago == ago {
                recent.tables = tables_of(operation, &recent.files, scene).await;
            }
            if recent.folder.is_none() {
                recent.folder = paths.iter().find(|path| world.is_folder(path)).cloned();
            }
            let name = operation.output_variable.as_deref();
            let Some(entry) = name.and_then(|name| context.get(name)) else { continue };
            let own = entry.variable.origin.call_id.as_ref() == Some(&operation.call_id);
            let kind = entry.variable.value_type;
            if let ([path], true) = (paths.as_slice(), own && untouched && operation.tool == Roles::get().read) {
                recent.held.push((path.clone(), format!("@{}", entry.variable.name)));
            }
            if recent.value.is_none() && risk != Risk::Write && !Roles::get().windows.contains(&operation.tool) {
                (recent.value, recent.value_ago) = (Some(reference(&entry.variable.name, operation)), ago);
            }
            if recent.number.is_none() && kind == ValueType::Number {
                (recent.number, recent.number_is_new) = (Some(format!("@{}", entry.variable.name)), ago == 0);
            }
            if listed.is_none() && kind == ValueType::Array && own {
                listed = Some((entry.variable.name.clone(), paths.into_iter().next()));
            }
        }
        recent.keys = keys_of(scene).await;
        if recent.value.is_none() {
            let last = context.variables().rfind(|variable| !variable.name.ends_with("_error"));
            recent.value = last.map(|variable| format!("@{}", variable.name));
        }
        if let [.., UserMessage { attachments, .. }] = scene.messages
            && let [attachment] = attachments.as_slice()
            && context.get(&attachment.name).is_some()
        {
            recent.speak_of(&attachment.name);
        }
        if let Some((name, folder)) = listed
            && let Ok(value) = context.value(scene.values, &name).await
        {
            recent.list = entries(&value).into_iter().map(|entry| within(folder.as_deref(), &entry, world)).collect();
            recent.list.dedup();
        }
        recent
    }

    /// What the message brings along is what it is about.
    fn speak_of(&mut self, attached: &str) {
        let reference = format!("@{attached}");
        (self.number, self.number_is_new) = (Some(reference.clone()), true);
        (self.value, self.value_ago) = (Some(reference), 0);
        self.files_ago += 1;
        self.tables.clear();
    }

    /// The plan without the steps that would read a file again that its request does not name.
    pub(super) fn without_reading(&self, mut plan: Plan) -> Plan {
        let reads =
            |step: &Step| step.if_json || (step.edit.is_none() && step.tool.as_ref() == Some(&Roles::get().read));
        let [step, ..] = plan.steps.as_slice() else { return plan };
        let given = Filler { values: &plan.values, done: &[] }.arguments(&step.arguments);
        let whole = given.len() == 1 && plan.steps.iter().all(reads) && plan.source.is_none();
        let Some([Value::String(path)]) = given.values().next().and_then(Value::as_array).map(Vec::as_slice) else {
            return plan;
        };
        let name = path.rsplit('/').next().unwrap_or(path);
        let held = self.held.iter().find(|(held, _)| held == path && whole && !plan.request.contains(name));
        if let Some((path, reference)) = held {
            plan.values.insert(HELD.to_owned(), path.as_str().into());
            plan.source = Some(reference.clone());
            plan.steps.clear();
        }
        plan
    }

    /// Takes in what was replied so far.
    pub(super) fn hear(&mut self, replies: &[String], world: &Seen<'_>) {
        self.forget_older_lists(replies);
        let said = replies.last().map(String::as_str).unwrap_or_default();
        self.figure = figure(said);
        self.named = only_file(said, world);
    }

    /// A list is not spoken of any more if a reply has shown another one since.
    fn forget_older_lists(&mut self, replies: &[String]) {
        let entry = |line: &str| line.starts_with(['|', '-']) && !line.starts_with("---");
        let lists = |reply: &&String| !reply.contains("```diff") && reply.lines().any(entry);
        let own = |path: &String| path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        let first = self.list.first().map(own);
        let shown = replies.iter().rev().find(lists);
        if let (Some(first), Some(shown)) = (first, shown)
            && !shown.lines().any(|line| entry(line) && line.contains(&first))
        {
            self.list.clear();
        }
    }

    /// The one file that was last spoken of.
    pub(super) fn file(&self) -> Option<&str> {
        match self.files.as_slice() {
            [file] => Some(file),
            _ => None,
        }
    }

    /// The tables that were looked through last, if no file was spoken of since.
    pub(super) fn all_tables(&self) -> &[Schema] {
        let texts = || self.looked_at.as_deref().into_iter().flat_map(texts_of);
        self.all_tables.get_or_init(|| texts().flat_map(|(path, text)| tabular::schemas(path, text)).collect())
    }

    /// The file that the latest call was about.
    pub(super) fn latest_file(&self) -> Option<&str> {
        self.file().filter(|_| self.files_ago == 0)
    }

    /// Whether the latest value is what a command gave, and newer than the latest file.
    pub(super) fn value_is_output(&self) -> bool {
        self.value_is_newer() && self.value.as_ref().is_some_and(|value| value.ends_with(".output"))
    }

    /// Whether the latest value is newer than the latest file, and of something else.
    pub(super) fn value_is_newer(&self) -> bool {
        self.value.is_some() && (self.files.is_empty() || self.value_ago < self.files_ago)
    }
}

/// The one file that a reply names: `` `a.rs` ``, `a.rs:12: …` at the start of a line, or behind its size.
fn only_file(said: &str, world: &Seen<'_>) -> Option<String> {
    let quoted = said.split('`').skip(1).step_by(2);
    let found = said.lines().filter(|line| line.contains(':'));
    let sized = said.lines().filter_map(|line| line.split_once('\t')).map(|(_, path)| path);
    let path = |text: &str| plain_path(text.split(':').next().unwrap_or(text));
    let mut files: Vec<String> =
        quoted.chain(found).chain(sized).map(path).filter(|path| world.is_file(path)).collect();
    files.sort();
    files.dedup();
    match files.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

fn add_keys(json: &Value, depth: usize, keys: &mut HashSet<String>) {
    let Value::Object(fields) = json else { return };
    for (key, value) in fields {
        keys.insert(plain(key));
        if depth > 1 {
            add_keys(value, depth - 1, keys);
        }
    }
}

/// The keys of the newest values that have some.
async fn keys_of(scene: &TurnContext<'_>) -> HashSet<String> {
    let context = &scene.view.context;
    let fits = |variable: &&Variable| {
        variable.value_type == ValueType::Object
            && variable.bytes <= MAX_SEARCHED_BYTES
            && !variable.name.ends_with("_error")
    };
    let mut keys = HashSet::new();
    for variable in context.variables().rev().filter(fits).take(MAX_SEARCHED) {
        if let Ok(ArtifactValue::Json(json)) = context.value(scene.values, &variable.name).await.as_deref() {
            add_keys(json, MAX_KEY_DEPTH, &mut keys);
        }
    }
    keys
}

/// The tables of the one file that a call read.
async fn tables_of(operation: &Operation, files: &[String], scene: &TurnContext<'_>) -> Vec<Schema> {
    let [path] = files else { return Vec::new() };
    if !tabular::may_hold(path) {
        return Vec::new();
    }
    match given(operation, scene).await.as_deref() {
        Some(ArtifactValue::Text(text)) => tabular::schemas(path, text),
        _ => Vec::new(),
    }
}

/// What a call gave, if its variable still holds that and tables of it are kept in mind.
async fn given(operation: &Operation, scene: &TurnContext<'_>) -> Option<Arc<ArtifactValue>> {
    let context = &scene.view.context;
    let name = operation.output_variable.as_ref()?;
    let variable = &context.get(name)?.variable;
    let own = variable.origin.call_id.as_ref() == Some(&operation.call_id);
    if !own || variable.bytes > MAX_TABLE_BYTES {
        return None;
    }
    context.value(scene.values, name).await.ok()
}

/// The texts that may hold tables, of all that a call read.
fn texts_of(value: &ArtifactValue) -> impl Iterator<Item = (&str, &str)> {
    let files = match value {
        ArtifactValue::Json(Value::Object(files)) => Some(files),
        _ => None,
    };
    let texts = files.into_iter().flatten().filter(|(path, _)| tabular::may_hold(path));
    texts.filter_map(|(path, text)| Some((path.as_str(), text.as_str()?)))
}

/// A reference to what a call gave: of a command, to its output.
fn reference(name: &str, operation: &Operation) -> String {
    match operation.inputs.contains_key("command") {
        true => format!("@{name}.output"),
        false => format!("@{name}"),
    }
}

/// An entry of a listed folder as a path.
fn within(folder: Option<&str>, entry: &str, world: &Seen<'_>) -> String {
    let entry = entry.trim_end_matches('/');
    match folder {
        Some(folder) if folder != "." && !world.is_path(entry) => format!("{}/{entry}", folder.trim_end_matches('/')),
        _ => entry.to_owned(),
    }
}

/// The paths among a call's arguments, a patch's own among them.
pub(super) fn paths_of(operation: &Operation) -> Vec<String> {
    // Most calls name none, and each turn looks at the latest.
    if !operation.inputs.keys().any(|key| key == "patch" || PATHS.contains(&key.as_str())) {
        return Vec::new();
    }
    let texts = PATHS.iter().filter_map(|key| operation.inputs.get(*key)).flat_map(|value| match value {
        Value::Array(items) => items.iter().collect::<Vec<_>>(),
        other => vec![other],
    });
    let texts = texts.filter_map(Value::as_str).filter(|text| !text.starts_with('@')).map(plain_path);
    let patch = operation.inputs.get("patch").and_then(Value::as_str).unwrap_or_default();
    let patched =
        patch.lines().filter_map(|line| line.strip_prefix("+++ b/").or_else(|| line.strip_prefix("rename to ")));
    let mut paths: Vec<String> = texts.chain(patched.map(str::to_owned)).collect();
    paths.dedup();
    paths
}

fn plain_path(path: &str) -> String {
    let plain = path.trim_start_matches("./").trim_end_matches('/');
    if plain.is_empty() { ".".to_owned() } else { plain.to_owned() }
}
