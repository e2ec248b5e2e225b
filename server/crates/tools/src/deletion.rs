//! Whether a command deletes most of the workspace, as far as its text says it. That is asked about under every policy:
//! also what can be undone is not wanted then, as a rule.

use std::path::Path;

use serde_json::{Map, Value};

use switchboard_sandbox::shell::{ShellCommand, program, read_line};
use switchboard_workspace::{EntryKind, PathPattern, WalkOptions, Workspace};

/// How many files are looked at.
const MAX_FILES: usize = 200_000;

/// Fewer files than these are not most of a workspace, unless they are all of it.
const FEW: usize = 5;

/// Why a call of a shell should be asked about; it looks at the workspace, so use it on a thread for blocking work.
pub(super) fn deletes_most(tool: &str, arguments: &Map<String, Value>, workspace: &Workspace) -> Option<String> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let folder = workspace.relative(text("working_dir").unwrap_or(".")).ok()?;
    let line = read_line(text("command")?);
    let targets: Vec<Target> =
        line.commands.iter().flat_map(|command| targets(command, folder.as_str(), workspace.root())).collect();
    if targets.is_empty() {
        return None;
    }
    let files = files(workspace);
    let deleted = files.iter().filter(|file| targets.iter().any(|target| target.fits(file))).count();
    let is_most = deleted * 2 > files.len() && (deleted >= FEW || deleted == files.len());
    if is_most {
        return Some(format!("{tool} deletes most of the workspace: {deleted} of {} files.", files.len()));
    }
    let is_gits = targets.iter().any(|target| target.everything_in && target.fits(".git"));
    (is_gits && workspace.root().join(".git").exists())
        .then(|| format!("{tool} deletes the history that git keeps of the workspace."))
}

/// What a command deletes.
struct Target {
    pattern: PathPattern,
    /// The pattern's names, as they are written.
    names: Vec<String>,
    /// With folders, and all that is in them.
    everything_in: bool,
}

impl Target {
    fn fits(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').collect();
        if names.len() > self.names.len() && !self.everything_in || !self.pattern.matches(path) {
            return false;
        }
        // A sign for any name stands for none that begins with a dot.
        let is_shown = |(pattern, name): (&String, &&str)| {
            pattern.starts_with('.') || !pattern.contains(['*', '?', '[']) || !name.starts_with('.')
        };
        self.names.iter().zip(&names).all(is_shown)
    }
}

fn targets(command: &ShellCommand, folder: &str, root: &Path) -> Vec<Target> {
    let arguments = command.words.get(1..).unwrap_or_default();
    let has = |words: &[&str]| arguments.iter().any(|word| words.contains(&word.as_str()));
    let (words, everything_in): (Vec<&String>, bool) = match program(&command.words) {
        "rm" => {
            let is_recursive = arguments.iter().any(|word| {
                word == "--recursive" || word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R'])
            });
            (arguments.iter().filter(|word| !word.starts_with('-')).collect(), is_recursive)
        }
        // A search that is narrowed down does not delete everything.
        "find"
            if (has(&["-delete"]) || has(&["-exec", "-execdir", "-ok"]) && has(&["rm", "/bin/rm"]))
                && !has(&[
                    "-name", "-iname", "-path", "-ipath", "-regex", "-mtime", "-mmin", "-newer", "-size", "-empty",
                ]) =>
        {
            (arguments.iter().take_while(|word| !word.starts_with(['-', '(', '!'])).collect(), true)
        }
        "git" if arguments.first().is_some_and(|word| word == "rm") && !has(&["--cached"]) => {
            (arguments.iter().skip(1).filter(|word| !word.starts_with('-')).collect(), has(&["-r", "-rf", "-fr"]))
        }
        _ => return Vec::new(),
    };
    words.into_iter().filter_map(|word| target(word, folder, root, everything_in)).collect()
}

/// The target that a word names, if it is in the workspace and its text says where.
fn target(word: &str, folder: &str, root: &Path, everything_in: bool) -> Option<Target> {
    let word = word.strip_prefix("$PWD").or_else(|| word.strip_prefix("${PWD}")).map_or(word, |rest| match rest {
        "" => ".",
        rest => rest.strip_prefix('/').unwrap_or(word),
    });
    let inside = match Path::new(word).strip_prefix(root) {
        Ok(inside) => inside.to_str()?.to_owned(),
        Err(_) if word.starts_with(['/', '~', '$']) => return None,
        Err(_) => format!("{folder}/{word}"),
    };
    let mut names: Vec<String> = Vec::new();
    for name in inside.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name.to_owned()),
        }
    }
    let pattern = if names.is_empty() { "**".to_owned() } else { format!("./{}", names.join("/")) };
    Some(Target { pattern: PathPattern::new(&pattern).ok()?, names, everything_in })
}

fn files(workspace: &Workspace) -> Vec<String> {
    let options = WalkOptions { hidden: true, gitignore: true };
    let Ok(walk) = workspace.walk(".", options) else { return Vec::new() };
    let found = walk.find(
        MAX_FILES,
        || (),
        |(), entry, found| {
            if entry.kind != EntryKind::Directory {
                found.push(entry.path.to_string());
            }
        },
        |looked_at| looked_at < MAX_FILES as u64,
    );
    found.found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::workspace;
    use serde_json::json;

    fn asked(command: &str, working_dir: &str) -> Option<String> {
        let (folder, workspace) = workspace();
        for file in ["a.txt", "b.txt", "src/1.rs", "src/2.rs", "src/3.rs", "src/deep/4.rs", "src/deep/5.rs", ".env"] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "x").expect("written");
        }
        std::fs::create_dir(folder.path().join(".git")).expect("made");
        let command = command.replace("ROOT", &workspace.root().display().to_string());
        let arguments = json!({"command": command, "working_dir": working_dir});
        deletes_most("bash", arguments.as_object().expect("an object"), &workspace)
    }

    #[test]
    fn what_deletes_most_is_recognized() {
        for command in [
            "rm -rf *",
            "rm -rf ./*",
            "rm -r src",
            "cd . && rm -fr ROOT/*",
            "rm -rf \"$PWD\"",
            "find . -delete",
            "find . -type f -exec rm {} +",
            "git rm -rf .",
            "bash -c 'rm -rf *'",
        ] {
            assert!(asked(command, ".").is_some_and(|why| why.contains("most of the workspace")), "{command}");
        }
        assert!(asked("rm -rf *", "src").is_some_and(|why| why.ends_with("5 of 8 files.")));
        assert!(asked("rm -rf .git", ".").is_some_and(|why| why.contains("history")));
        assert!(asked("rm -rf .*", ".").is_some_and(|why| why.contains("history")));
    }

    #[test]
    fn what_deletes_little_is_not() {
        for command in [
            "rm *",
            "rm -rf src/deep",
            "rm a.txt b.txt",
            "rm -rf /tmp/x",
            "rm -rf ../*",
            "find . -name '*.rs' -delete",
            "ls *",
            "echo rm -rf",
            "rm .git/index.lock",
        ] {
            assert_eq!(asked(command, "."), None, "{command}");
        }
    }
}
