//! What can be done with a project, from the file that says what it is made of: `run the tests`, `which dependencies`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use switchboard_nlu::Step;

use super::plan::{Plan, filled_text};
use super::roles::Roles;
use super::world::Seen;
use crate::data;

/// The kinds of projects.
#[derive(Debug, Deserialize)]
struct Kinds {
    /// Commands that several of them have, by name.
    commands: BTreeMap<String, Vec<String>>,
    kind: Vec<Kind>,
}

/// One of them.
#[derive(Debug, Deserialize)]
struct Kind {
    /// The file, or folder, that tells it; or a pattern for one.
    file: String,
    tasks: BTreeMap<String, Vec<String>>,
    facts: BTreeMap<String, String>,
}

impl Kind {
    fn is_there(&self, world: &Seen<'_>) -> bool {
        let Some((folder, name)) = self.file.rsplit_once("*/") else { return world.is_path(&self.file) };
        let (begin, end) = name.split_once('*').unwrap_or((name, ""));
        let fits = |file: &str| {
            let (above, own) = file.rsplit_once('/').unwrap_or_default();
            above.starts_with(folder) && own.starts_with(begin) && own.ends_with(end)
        };
        world.paths.files().any(fits)
    }
}

/// The plan with its step about the project in the place of the operation that stands for it.
pub(super) fn planned(mut plan: Plan, world: &Seen<'_>) -> Result<Plan, String> {
    let Some(place) = plan.steps.iter().position(|step| matches!(step.edit.as_deref(), Some(COMMAND | FACTS))) else {
        return Ok(plan);
    };
    let step = plan.steps[place].clone();
    let said = |name: &str| step.arguments.get(name).and_then(Value::as_str).map(str::to_owned);
    static KINDS: LazyLock<Kinds> = LazyLock::new(|| data::read(include_str!("project.toml")));
    let there: Vec<&Kind> = KINDS.kind.iter().filter(|kind| kind.is_there(world)).collect();
    if there.is_empty() {
        return Err("I cannot tell what this project is made of: there is no Cargo.toml, package.json, pyproject.toml, go.mod or \
                    Makefile here."
            .to_owned());
    }
    let none = |what: &str| {
        let files: Vec<String> = there.iter().map(|kind| format!("`{}`", kind.file)).collect();
        format!("{} does not tell {what}.", files.join(" and "))
    };
    if step.edit.as_deref() == Some(FACTS) {
        let about = said("about").unwrap_or_default();
        let found = there.iter().find_map(|kind| {
            let key = filled_text(kind.facts.get(&about)?, &plan.values)?;
            Some((kind.file.clone(), key))
        });
        let (file, key) = found.ok_or_else(|| none(&format!("its {}", about.replace('_', " "))))?;
        let read = Roles::get().tables("value_at", &[file], &plan.request);
        plan.values.extend(read.values);
        plan.values.insert("key".to_owned(), key.into());
        (plan.steps, plan.reply) = (read.steps, Some("value_at".to_owned()));
        return Ok(plan);
    }
    let mut task = said("task").unwrap_or_default();
    if task == "test" && (plan.values.contains_key("file") || plan.values.contains_key("text")) {
        "only".clone_into(&mut task);
    }
    let argv = there.iter().find_map(|kind| kind.tasks.get(&task));
    let argv = argv.ok_or_else(|| none(&format!("how to {task} it")))?;
    let argv = KINDS.commands.get(&argv[0]).unwrap_or(argv);
    plan.steps[place] = Step { run: argv.clone(), arguments: without(&step), ..Step::default() };
    Ok(plan)
}

/// The operations that stand for a step about the project.
const COMMAND: &str = "project_command";
const FACTS: &str = "project_facts";

/// The step's arguments that are the command's own.
fn without(step: &Step) -> serde_json::Map<String, Value> {
    let own = |name: &&String| !["task", "about", "name"].contains(&name.as_str());
    step.arguments.iter().filter(|(name, _)| own(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}
