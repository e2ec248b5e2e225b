//! Whether a command deletes most of the workspace, as far as its text says it. That is asked about under every policy:
//! also what can be undone is not wanted then, as a rule.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use switchboard_sandbox::shell::{ShellCommand, ShellLine, program, read_line};
use switchboard_workspace::{EntryKind, PathPattern, WalkOptions, Workspace};

/// How many files are looked at.
const MAX_FILES: usize = 200_000;

/// In how many folders a command may be, as far as that is followed.
const MAX_FOLDERS: usize = 16;

/// Fewer files than these are not most of a workspace, unless they are all of it.
const FEW: usize = 5;

/// Why a call of a shell should be asked about; it looks at the workspace, so use it on a thread for blocking work.
pub(super) fn deletes_most(tool: &str, arguments: &Map<String, Value>, workspace: &Workspace) -> Option<String> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let folder = workspace.relative(text("working_dir").unwrap_or(".")).ok()?;
    let named = named(&read_line(text("command")?), &workspace.root().join(folder.as_str()), workspace.root());
    let mut targets = Vec::new();
    for named in named {
        match named {
            Named::Target(target) => targets.push(target),
            Named::Unknown => {
                return Some(format!("{tool} deletes folders whose names are known only when the command runs."));
            }
        }
    }
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
        .then(|| format!("{tool} deletes the history that git keeps of the workspace; no undo brings that back."))
}

/// What a word says of what is deleted.
enum Named {
    Target(Target),
    /// Anything, with all that is in it.
    Unknown,
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

/// What the commands of a line delete, beginning in this folder, as far as it may be in the workspace.
fn named(line: &ShellLine, folder: &Path, root: &Path) -> Vec<Named> {
    // Whether a change of the folder holds for what follows is not looked at: it may, or may not.
    let mut folders = vec![folder.to_owned()];
    let mut named = Vec::new();
    for command in &line.commands {
        if let ("cd" | "pushd", Some(word)) = (program(&command.words), command.words.get(1)) {
            if folders.len() < MAX_FOLDERS && !word.contains('$') {
                let further: Vec<PathBuf> = folders.iter().map(|folder| folder.join(word)).collect();
                folders.extend(further);
            }
            continue;
        }
        let Some(Deletion { words, everything_in }) = deletion(command) else { continue };
        let words = words.iter().flat_map(|word| folders.iter().map(move |folder| (word, folder)));
        named.extend(words.filter_map(|(word, folder)| match is_substituted(word, line) {
            true if everything_in => Some(Named::Unknown),
            true => None,
            false => named_by(word, folder, root, everything_in),
        }));
    }
    named
}

/// The words of a command that name what it deletes.
struct Deletion {
    words: Vec<String>,
    /// With folders, and all that is in them.
    everything_in: bool,
}

fn deletion(command: &ShellCommand) -> Option<Deletion> {
    let arguments = command.words.get(1..).unwrap_or_default();
    let has = |words: &[&str]| arguments.iter().any(|word| words.contains(&word.as_str()));
    let paths = |skipped: usize| -> Vec<String> {
        arguments.iter().skip(skipped).filter(|word| !word.starts_with('-')).cloned().collect()
    };
    let (mut words, everything_in): (Vec<String>, bool) = match program(&command.words) {
        "rm" => {
            let is_recursive = arguments.iter().any(|word| {
                word == "--recursive" || word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R'])
            });
            (paths(0), is_recursive)
        }
        // A search that is narrowed down does not delete everything.
        "find"
            if (has(&["-delete"]) || has(&["-exec", "-execdir", "-ok"]) && has(&["rm", "/bin/rm"]))
                && !has(&[
                    "-name", "-iname", "-path", "-ipath", "-regex", "-mtime", "-mmin", "-newer", "-size", "-empty",
                ]) =>
        {
            let places: Vec<String> =
                arguments.iter().take_while(|word| !word.starts_with(['-', '(', '!'])).cloned().collect();
            (if places.is_empty() { vec![".".to_owned()] } else { places }, true)
        }
        "git" if arguments.first().is_some_and(|word| word == "rm") && !has(&["--cached"]) => {
            (paths(1), has(&["-r", "-rf", "-fr"]))
        }
        _ => return None,
    };
    if words.is_empty() {
        // `xargs` gives it what it deletes.
        words.push(String::new());
    }
    Some(Deletion { words, everything_in })
}

/// Whether the output of a command is, or begins, a word: it is missing there.
fn is_substituted(word: &str, line: &ShellLine) -> bool {
    let follows = |script: &String| [")", ")\"", "`", "`\""].iter().any(|end| script.contains(&format!("{end}{word}")));
    word.is_empty() || word.starts_with('/') && line.scripts.iter().any(follows)
}

/// What a word names in this folder, if that may be in the workspace.
fn named_by(word: &str, folder: &Path, root: &Path, everything_in: bool) -> Option<Named> {
    let is_at = |start: &str| word.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let inside = match word.strip_prefix("$PWD") {
        Some(rest) if is_at("$PWD") => format!("{}{rest}", folder.display()),
        // They are not in the workspace, as a rule.
        _ if is_at("~") || is_at("$HOME") || is_at("$TMPDIR") => return None,
        _ => folder.join(word).to_str()?.to_owned(),
    };
    let is_variable = |name: &str| name.contains('$');
    let mut names: Vec<&str> = Vec::new();
    for name in inside.split('/') {
        match name {
            "" | "." => {}
            ".." if names.pop().is_some_and(is_variable) => return everything_in.then_some(Named::Unknown),
            ".." => {}
            name => names.push(name),
        }
    }
    let root: Vec<&str> = root.to_str()?.split('/').filter(|name| !name.is_empty()).collect();
    for (name, root) in names.iter().zip(&root) {
        match *name {
            name if is_variable(name) => return everything_in.then_some(Named::Unknown),
            name if name != *root && !name.contains(['*', '?', '[', '{']) => return None,
            _ => {}
        }
    }
    let own = names.get(root.len()..).unwrap_or_default();
    if own.first().is_some_and(|name| is_variable(name)) {
        return everything_in.then_some(Named::Unknown);
    }
    // A variable further down stands for anything there.
    let names: Vec<String> = own.iter().take_while(|name| !is_variable(name)).map(ToString::to_string).collect();
    let pattern = if names.is_empty() { "**".to_owned() } else { format!("./{}", names.join("/")) };
    Some(Named::Target(Target { pattern: PathPattern::new(&pattern).ok()?, names, everything_in }))
}

fn files(workspace: &Workspace) -> Vec<String> {
    let options = WalkOptions { hidden: true, ..WalkOptions::default() };
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
            "cd src && rm -rf ../*",
            "rm -rf ../*",
            "rm -rf ROOT/../*",
            "find -delete",
            "rm -rf src/$name",
        ] {
            assert!(asked(command, ".").is_some_and(|why| why.contains("most of the workspace")), "{command}");
        }
        assert!(asked("rm -rf *", "src").is_some_and(|why| why.ends_with("5 of 8 files.")));
        assert!(asked("rm -rf .git", ".").is_some_and(|why| why.contains("history")));
        assert!(asked("rm -rf .*", ".").is_some_and(|why| why.contains("history")));
    }

    #[test]
    fn folders_that_the_text_does_not_name_are_asked_about() {
        for command in [
            "rm -rf \"$dir\"",
            "rm -r ${dir}/build",
            "d=src; rm -rf $d",
            "for d in */; do rm -rf \"$d\"; done",
            "ls | xargs rm -rf",
            "rm -rf $(ls)",
            "rm -rf `ls`",
            "rm -rf \"$(pwd)/src\"",
            "rm -rf src/$x/../..",
            "find \"$dir\" -delete",
            "rm -rf $1",
        ] {
            let why = asked(command, ".").unwrap_or_default();
            assert!(why.ends_with("are known only when the command runs."), "{command}: {why}");
        }
    }

    #[test]
    fn what_deletes_little_is_not() {
        for command in [
            "rm *",
            "rm -rf src/deep",
            "rm a.txt b.txt",
            "rm -rf /tmp/x",
            "rm -rf ../x",
            "rm -rf \"$HOME/.cache/x\"",
            "rm \"$file\"",
            "ls | xargs rm",
            "rm -rf src/deep/$name",
            "cd src && rm -rf deep",
            "d=$(mktemp); rm -rf /tmp/x",
            "find . -name '*.rs' -delete",
            "ls *",
            "echo rm -rf",
            "rm .git/index.lock",
        ] {
            assert_eq!(asked(command, "."), None, "{command}");
        }
    }
}
