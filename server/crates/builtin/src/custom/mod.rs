//! Tools of the user's own: files in a folder that say which program to run. The folder is looked at again and again; a file
//! that is wrong, or whose name is taken, is reported, and the rest work.

mod arguments;
mod definition;
mod tool;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use self::arguments::Argument;
use self::definition::CustomDefinition;
use self::tool::CustomTool;
use crate::command::ShellConfig;
use switchboard_protocol::ToolDefinition;
use switchboard_runtime::Shutdown;
use switchboard_tools::ToolRegistry;

/// How often the files are looked at.
const POLL: Duration = Duration::from_secs(2);
/// How many files are read, and how large one may be.
const MAX_FILES: usize = 200;
const MAX_BYTES: u64 = 256 * 1024;

/// Gives a variable of the server's environment.
pub type EnvironmentSource = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Says what else is wrong with a tool, such as with its example sentences.
pub type Check = fn(&ToolDefinition) -> Option<String>;

/// The tools of the user's own. Cheap to clone.
#[derive(Clone)]
pub struct CustomTools(Arc<Inner>);

struct Inner {
    registry: Arc<ToolRegistry>,
    shell: ShellConfig,
    environment: EnvironmentSource,
    check: Check,
    folder: PathBuf,
    known: Mutex<Known>,
}

/// Name, size and time of a file.
type Stamp = (PathBuf, u64, Option<SystemTime>);

#[derive(Default)]
struct Known {
    seen: Option<Vec<Stamp>>,
    /// What is registered, by the tools' names.
    registered: BTreeMap<String, (CustomDefinition, Vec<Argument>)>,
}

impl CustomTools {
    /// Reads the files of `folder` and puts their tools into the registry.
    #[must_use]
    pub fn new(
        registry: &Arc<ToolRegistry>,
        shell: ShellConfig,
        environment: EnvironmentSource,
        check: Check,
        folder: PathBuf,
    ) -> Self {
        let registry = Arc::clone(registry);
        let tools = Self(Arc::new(Inner { registry, shell, environment, check, folder, known: Mutex::default() }));
        tools.reload();
        tools
    }

    /// Looks at the files again and again until the server stops.
    pub fn watch(&self, shutdown: &Shutdown) {
        let (tools, stopping) = (self.clone(), shutdown.stopping().clone());
        drop(shutdown.spawn(async move {
            while stopping.run_until_cancelled(tokio::time::sleep(POLL)).await.is_some() {
                let looked = tools.clone();
                // Folders may be on slow disks.
                if tokio::task::spawn_blocking(move || looked.reload_if_changed()).await.is_err() {
                    tracing::error!("the files of your own tools could not be checked");
                }
            }
        }));
    }

    /// Reads the files anew, whether they have changed or not.
    pub fn reload(&self) {
        self.take_up(stamps(&self.0.folder));
    }

    fn reload_if_changed(&self) {
        let seen = stamps(&self.0.folder);
        let same = self.0.known.lock().unwrap_or_else(PoisonError::into_inner).seen.as_ref() == Some(&seen);
        if !same {
            self.take_up(seen);
        }
    }

    /// Makes the registry have exactly what the files say. A tool that has not changed stays, so that nothing that was
    /// allowed for it asks again.
    fn take_up(&self, seen: Vec<Stamp>) {
        let Inner { registry, folder, shell, environment, check, known } = &*self.0;
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problems: Vec<String> = Vec::new();
        let mut wanted: BTreeMap<String, (CustomDefinition, Vec<Argument>)> = BTreeMap::new();
        for (path, bytes, _) in &seen {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let read = read(path, *bytes).and_then(|read| match check(&read.0.tool()) {
                Some(why) => Err(why),
                None => Ok(read),
            });
            match read {
                Err(why) => problems.push(format!("{file} is skipped: {why}")),
                Ok((definition, _)) if !definition.enabled => {}
                Ok((definition, _)) if wanted.contains_key(&definition.name) => {
                    problems.push(format!("{file} is skipped: another file already defines `{}`", definition.name));
                }
                Ok(read) => {
                    wanted.insert(read.0.name.clone(), read);
                }
            }
        }
        let gone = known.registered.iter().filter(|(name, is)| wanted.get(*name) != Some(*is));
        let gone: Vec<String> = gone.map(|(name, _)| name.clone()).collect();
        for name in gone {
            registry.remove(&name);
            known.registered.remove(&name);
        }
        for (name, (definition, command)) in wanted {
            if known.registered.contains_key(&name) {
                continue;
            }
            let variables = definition.environment.iter().filter_map(|name| Some((name.clone(), environment(name)?)));
            let tool = CustomTool::new(
                definition.clone(),
                command.clone(),
                folder.clone(),
                variables.collect(),
                shell.clone(),
            );
            match registry.insert(Arc::new(tool)) {
                Ok(()) => {
                    known.registered.insert(name, (definition, command));
                }
                Err(error) => problems.push(format!("the tool `{name}` is skipped: failed to {error}")),
            }
        }
        for problem in &problems {
            tracing::warn!("your own tools: {problem}");
        }
        registry.set_problems(problems);
        known.seen = Some(seen);
    }
}

/// The files of the folder, by name; none if it does not exist. Files beside them, such as scripts, are not tools.
fn stamps(folder: &Path) -> Vec<Stamp> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let is_tool = |path: &PathBuf| path.extension().is_some_and(|end| end == "json") && path.is_file();
    let mut files: Vec<PathBuf> = entries.filter(is_tool).collect();
    files.sort();
    files.truncate(MAX_FILES);
    let stamped = files.into_iter().map(|path| {
        let about = fs::metadata(&path).ok();
        let time = about.as_ref().and_then(|about| about.modified().ok());
        (path, about.map_or(0, |about| about.len()), time)
    });
    stamped.collect()
}

fn read(path: &Path, bytes: u64) -> Result<(CustomDefinition, Vec<Argument>), String> {
    if bytes > MAX_BYTES {
        return Err(format!("it is larger than {MAX_BYTES} bytes"));
    }
    let text = fs::read_to_string(path).map_err(|error| format!("it cannot be read: {error}"))?;
    CustomDefinition::parse(&text)
}
