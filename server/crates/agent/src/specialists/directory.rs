//! The agents there are: those that come with the server, then the user's, each from a file. A file that is wrong, or whose
//! name is taken, is reported, and the rest work.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use switchboard_protocol::ReasonerKind;

use super::definition::{AgentDefinition, MODULE};
use super::delegate::Delegate;
use super::reasoner_factory::ReasonerFactory;
use super::toolboxes::{Toolbox, Toolboxes};
use switchboard_runtime::{Shutdown, nearest};
use switchboard_search::ToolIndex;
use switchboard_tools::{Absence, ToolRegistry};

/// The agents that come with the server.
const SHIPPED: [(&str, &str); 3] = [
    ("code_gen.json", include_str!("../../../../agents/code_gen.json")),
    ("reader.json", include_str!("../../../../agents/reader.json")),
    ("web_search.json", include_str!("../../../../agents/web_search.json")),
];

/// How often the files are looked at.
const POLL: Duration = Duration::from_secs(2);
/// How many files are read, and how large one may be.
const MAX_FILES: usize = 200;
const MAX_BYTES: u64 = 256 * 1024;

/// The agents. Cheap to clone.
#[derive(Clone)]
pub struct Specialists(Arc<Inner>);

struct Inner {
    registry: Arc<ToolRegistry>,
    thinking: ReasonerFactory,
    toolboxes: Arc<Toolboxes>,
    /// Where the user's files are.
    folder: Option<PathBuf>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    agents: BTreeMap<String, Agent>,
    problems: Vec<String>,
    /// What was switched by hand since the start.
    switched: BTreeMap<String, bool>,
    seen: Option<Seen>,
}

/// Name, size and time of each file, and whether there is a model.
type Seen = (Vec<(PathBuf, u64, Option<SystemTime>)>, bool);

struct Agent {
    definition: AgentDefinition,
    /// The file, without its folder.
    file: String,
    registered: bool,
    /// Why it is not a tool though it is enabled.
    problem: Option<String>,
}

/// An agent as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentStatus {
    /// What its file says.
    pub definition: AgentDefinition,
    /// The file, without its folder.
    pub file: String,
    /// Whether it is enabled now.
    pub enabled: bool,
    /// Whether other agents have it as a tool now.
    pub available: bool,
    /// Why not, though it is enabled.
    pub problem: Option<String>,
    /// What is amiss with it all the same: tools in its file that there are not, and what it cannot do.
    pub warnings: Vec<String>,
}

impl Specialists {
    /// Reads the files and puts the specialists into the registry.
    #[must_use]
    pub fn new(registry: &Arc<ToolRegistry>, thinking: ReasonerFactory, folder: Option<PathBuf>) -> Self {
        let (registry, toolboxes) = (Arc::clone(registry), Arc::default());
        let specialists = Self(Arc::new(Inner { registry, thinking, toolboxes, folder, known: Mutex::default() }));
        specialists.reload();
        specialists
    }

    /// Looks at the files again and again until the server stops.
    pub fn watch(&self, shutdown: &Shutdown) {
        let (specialists, stopping) = (self.clone(), shutdown.stopping().clone());
        drop(shutdown.spawn(async move {
            loop {
                tokio::select! {
                    () = stopping.cancelled() => return,
                    () = tokio::time::sleep(POLL) => {}
                }
                let looked = specialists.clone();
                // Folders may be on slow disks.
                if tokio::task::spawn_blocking(move || looked.reload_if_changed()).await.is_err() {
                    tracing::error!("the agents' files could not be checked");
                }
            }
        }));
    }

    /// Reads the files anew, whether they have changed or not.
    pub fn reload(&self) {
        let seen = self.look();
        self.take_up(seen);
    }

    fn reload_if_changed(&self) {
        let seen = self.look();
        if self.known().seen.as_ref() != Some(&seen) {
            return self.take_up(seen);
        }
        // A model, or a name that was taken, may be there to be had now.
        self.register();
    }

    /// All agents by their ids, and what is wrong with files.
    #[must_use]
    pub fn list(&self) -> (Vec<AgentStatus>, Vec<String>) {
        let known = self.known();
        let agents = known.agents.values().map(|agent| AgentStatus {
            definition: agent.definition.clone(),
            file: agent.file.clone(),
            enabled: known.enabled(&agent.definition),
            available: agent.registered,
            problem: agent.problem.clone(),
            warnings: self.warnings(&agent.definition, &known),
        });
        (agents.collect(), known.problems.clone())
    }

    /// The tools that its file names and that there are not, and what it says itself that it cannot do.
    fn warnings(&self, definition: &AgentDefinition, known: &Known) -> Vec<String> {
        let registry = &self.0.registry;
        let names = definition.tools.iter().flatten().filter(|name| registry.get(name).is_none());
        let missing = names.map(|name| match known.agents.get(name) {
            Some(_) if *name == definition.id => format!("`{name}` among its tools is itself"),
            Some(_) => format!("the specialist `{name}` among its tools is not available"),
            None => match registry.near(name).as_slice() {
                [] => format!("there is no tool `{name}`"),
                [near, ..] => format!("there is no tool `{name}`; did you mean `{near}`?"),
            },
        });
        missing.chain(definition.limits.clone()).collect()
    }

    /// Switches a specialist on or off until the server ends; its file stays as it is.
    ///
    /// # Errors
    /// When there is none of this id, or it is the primary.
    pub fn switch(&self, id: &str, enabled: bool) -> Result<(), String> {
        {
            let mut known = self.known();
            let Some(agent) = known.agents.get(id) else {
                let near = nearest(id, known.agents.keys().map(String::as_str), 1);
                let hint = near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                return Err(format!("there is no agent with this id{hint}"));
            };
            if agent.definition.is_primary {
                return Err("the primary agent runs the sessions and cannot be switched".to_owned());
            }
            known.switched.insert(id.to_owned(), enabled);
        }
        self.register();
        Ok(())
    }

    /// The instructions of the primary agent, if a file has one.
    #[must_use]
    pub fn primary_instructions(&self) -> Option<String> {
        self.known().primary().map(|primary| primary.instructions.clone())
    }

    /// The tools that the primary agent's file names, and their index; none if all are its.
    #[must_use]
    pub fn primary_tools(&self) -> Option<(Arc<ToolRegistry>, Arc<ToolIndex>)> {
        let known = self.known();
        let primary = known.primary().filter(|primary| primary.tools.is_some())?;
        let Toolbox { registry, index, .. } = self.0.toolboxes.of(&self.0.registry, primary);
        Some((registry, index))
    }

    fn look(&self) -> Seen {
        let files = self.0.folder.as_deref().map(files_of).unwrap_or_default();
        let stamped = files.into_iter().map(|path| {
            let about = fs::metadata(&path).ok();
            let time = about.as_ref().and_then(|about| about.modified().ok());
            (path, about.map_or(0, |about| about.len()), time)
        });
        (stamped.collect(), self.0.thinking.reasoner.info().kind != ReasonerKind::Rules)
    }

    fn take_up(&self, seen: Seen) {
        let mut known = self.known();
        let old = std::mem::take(&mut known.agents);
        known.problems.clear();
        for (file, text) in SHIPPED {
            known.take(file.to_owned(), AgentDefinition::parse(text), true);
        }
        for (path, bytes, _) in &seen.0 {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            known.take(name, read(path, *bytes), false);
        }
        for problem in &known.problems {
            tracing::warn!("agents: {problem}");
        }
        known.seen = Some(seen);
        let definitions = known.agents.iter().map(|(id, agent)| (id.clone(), agent.definition.clone()));
        self.0.toolboxes.know(definitions.collect());
        for (id, agent) in old.into_iter().filter(|(_, agent)| agent.registered) {
            // One that has not changed stays, so that nothing that was allowed for it asks again.
            match known.agents.get_mut(&id).filter(|now| now.definition == agent.definition) {
                Some(now) => now.registered = true,
                None => {
                    self.0.registry.remove(&id);
                }
            }
        }
        drop(known);
        self.register();
    }

    /// Makes the registry have exactly the specialists that are enabled.
    fn register(&self) {
        let mut known = self.known();
        let model = known.seen.as_ref().is_some_and(|(_, model)| *model);
        let switched = known.switched.clone();
        for (id, agent) in &mut known.agents {
            let definition = &agent.definition;
            let enabled = switched.get(id).copied().unwrap_or(definition.enabled) && !definition.is_primary;
            let before = agent.problem.take();
            agent.problem = if enabled { self.lack(definition, model) } else { None };
            let wanted = enabled && agent.problem.is_none();
            if agent.registered && !(wanted && self.says_what_it_can_do(definition)) {
                self.0.registry.remove(id);
                agent.registered = false;
            }
            if wanted && !agent.registered {
                match self.insert(definition) {
                    Ok(()) => agent.registered = true,
                    Err(why) => agent.problem = Some(why),
                }
            }
            if let Some(why) = agent.problem.as_ref().filter(|why| before.as_ref() != Some(*why)) {
                // Without a model this is as it should be; `/agents` says it.
                match agent.definition.needs_model && !model {
                    true => tracing::debug!("agents: {id} is not available as a tool: {why}"),
                    false => tracing::warn!("agents: {id} is not available as a tool: {why}"),
                }
            }
        }
        let absent = known.agents.iter().filter(|(_, agent)| !agent.registered && !agent.definition.is_primary);
        self.0.registry.set_absent(absent.map(|(id, agent)| (id.clone(), absence(id, agent))).collect());
    }

    /// Whether a registered specialist says of itself what its tools can do now.
    fn says_what_it_can_do(&self, definition: &AgentDefinition) -> bool {
        let reach = self.0.toolboxes.of(&self.0.registry, definition).reach;
        let registered = self.0.registry.get(&definition.id);
        registered.is_some_and(|tool| {
            let spec = tool.spec();
            (spec.definition.risk, spec.repeatable) == (reach.risk, reach.repeatable)
        })
    }

    /// What a specialist needs and there is not.
    fn lack(&self, definition: &AgentDefinition, model: bool) -> Option<String> {
        if definition.has_own_model() {
            let own = self.0.thinking.of(definition).err();
            return own.map(|why| format!("its model is not available: {why}"));
        }
        (definition.needs_model && !model).then(|| "it needs a language model, and none is configured".to_owned())
    }

    fn insert(&self, definition: &AgentDefinition) -> Result<(), String> {
        let Inner { registry, thinking, toolboxes, .. } = &*self.0;
        let tool = Delegate::new(definition.clone(), thinking.clone(), registry, toolboxes);
        registry.insert(Arc::new(tool)).map_err(|error| {
            let taken = registry.get(&definition.id).is_some_and(|tool| tool.spec().definition.module != MODULE);
            if taken { "another tool has this name".to_owned() } else { error.to_string() }
        })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What somebody is told who calls a specialist that does not exist.
fn absence(id: &str, agent: &Agent) -> Absence {
    let next = "Use another tool, or answer with what is already known.";
    match &agent.problem {
        Some(problem) => Absence { why: format!("the tool is not available: {problem}"), next: next.to_owned() },
        None => Absence {
            why: "the tool is currently disabled".to_owned(),
            next: format!("{next} The user can enable it with `/agents on {id}`."),
        },
    }
}

impl Known {
    /// The agent that runs the sessions, if a file says so.
    fn primary(&self) -> Option<&AgentDefinition> {
        let mut definitions = self.agents.values().map(|agent| &agent.definition);
        definitions.find(|definition| definition.is_primary && self.enabled(definition))
    }

    fn enabled(&self, definition: &AgentDefinition) -> bool {
        self.switched.get(&definition.id).copied().unwrap_or(definition.enabled)
    }

    /// Takes in a file. The user's files override those that come with the server; of two of the user's, the first one
    /// stays.
    fn take(&mut self, file: String, read: Result<AgentDefinition, String>, shipped: bool) {
        let definition = match read {
            Ok(definition) => definition,
            Err(problem) => return self.problems.push(format!("{file} is skipped: {problem}")),
        };
        let id = definition.id.clone();
        if let Some(other) = self.agents.get(&id).filter(|other| !other.file.starts_with("built in: ")) {
            let other = &other.file;
            return self.problems.push(format!("{file} is skipped: {other} already defines the agent `{id}`"));
        }
        let primary = self.agents.values().find(|agent| agent.definition.is_primary && agent.definition.enabled);
        if let Some(primary) = primary.filter(|_| definition.is_primary && definition.enabled) {
            let primary = &primary.definition.id;
            return self.problems.push(format!("{file} is skipped: `{primary}` is already the primary agent"));
        }
        let file = if shipped { format!("built in: {file}") } else { file };
        self.agents.insert(id, Agent { definition, file, registered: false, problem: None });
    }
}

/// The files of a folder, by name; none if it does not exist.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "json") && path.is_file()).collect();
    files.sort();
    files.truncate(MAX_FILES);
    files
}

fn read(path: &Path, bytes: u64) -> Result<AgentDefinition, String> {
    if bytes > MAX_BYTES {
        return Err(format!("it is larger than {MAX_BYTES} bytes"));
    }
    let text = fs::read_to_string(path).map_err(|error| format!("it cannot be read: {error}"))?;
    AgentDefinition::parse(&text)
}
