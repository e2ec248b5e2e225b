//! Shows how a text is read: `cargo run -p switchboard-nlu --example read -- [--in FOLDER] [--data FOLDER] [TEXT…]`.
//!
//! Without a text, each line of the input is one. `--in` is the workspace whose files are known (else the current folder),
//! `--data` a folder of `*.toml` to read instead of those that are built in: no compiling after a change.

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use jiff::Zoned;
use switchboard_nlu::{Candidate, Engine, Paths, World};

struct Folder {
    paths: Paths,
    programs: HashSet<String>,
}

impl World for Folder {
    fn paths(&self) -> &Paths {
        &self.paths
    }

    #[expect(clippy::disallowed_methods, reason = "an example has no clock of its own")]
    fn now(&self) -> Zoned {
        jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC)
    }

    fn is_program(&self, name: &str) -> bool {
        self.programs.contains(name)
    }
}

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let folder = option(&mut arguments, "--in").unwrap_or_else(|| ".".to_owned());
    let data = option(&mut arguments, "--data");
    let began = Instant::now();
    let own = data.map(|data| from_folder(&data)).transpose()?;
    let engine = own.as_ref().unwrap_or_else(|| Engine::shipped());
    let sentences: usize = engine.intents().map(|intent| intent.sentences.len()).sum();
    eprintln!("{} intents, {sentences} sentences, ready in {:.1?}", engine.intents().count(), began.elapsed());
    let mut files = Vec::new();
    walk(Path::new(&folder), "", &mut files);
    let programs = [
        "git", "ls", "cargo", "npm", "find", "sort", "cat", "grep", "python3", "make", "date", "pwd", "curl", "head",
        "wc",
    ];
    let world = Folder { paths: Paths::new(files, Vec::<String>::new()), programs: programs.map(str::to_owned).into() };
    if arguments.is_empty() {
        for line in io::stdin().lock().lines() {
            let line = line?;
            show(engine, line.trim(), &world);
        }
    } else {
        show(engine, &arguments.join(" "), &world);
    }
    Ok(())
}

fn show(engine: &Engine, text: &str, world: &Folder) {
    if text.is_empty() {
        return;
    }
    let began = Instant::now();
    let reading = engine.read(text, world);
    println!("\n{text}   ({:.0?})", began.elapsed());
    if let Some(command) = &reading.command {
        println!("  command line{}: {}", if command.sure { "" } else { "?" }, command.line);
    }
    for clause in &reading.clauses {
        if reading.clauses.len() > 1 {
            println!("  [{}] {}", clause.joint, clause.text);
        }
        if clause.candidates.is_empty() {
            println!("    not understood");
        }
        clause.candidates.iter().take(3).for_each(candidate);
    }
}

fn candidate(candidate: &Candidate) {
    let slots: Vec<_> =
        candidate.slots.iter().map(|(name, value)| format!("{name}={}", serde_json::json!(value))).collect();
    println!("    {:.2} {} {}", candidate.score, candidate.intent.name, slots.join(" "));
    if !candidate.missing.is_empty() || !candidate.unread.is_empty() {
        println!("         missing {:?}, unread {:?}", candidate.missing, candidate.unread);
    }
    let intent = &candidate.intent;
    println!("         by: {}", intent.sentences[candidate.sentence]);
}

/// The value of an option, taken out.
fn option(arguments: &mut Vec<String>, name: &str) -> Option<String> {
    let place = arguments.iter().position(|argument| argument == name)?;
    arguments.remove(place);
    (place < arguments.len()).then(|| arguments.remove(place))
}

fn from_folder(folder: &str) -> io::Result<Engine> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            sources.push((name, fs::read_to_string(&path)?));
        }
    }
    sources.sort();
    let named = sources.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Engine::from_sources(named).map_err(io::Error::other)
}

fn walk(folder: &Path, before: &str, files: &mut Vec<String>) {
    const MOST: usize = 5000;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let hidden = name.starts_with(".git") || name == "target" || name == "node_modules";
        if hidden || files.len() > MOST {
            continue;
        }
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{before}{name}/"), files);
        } else {
            files.push(format!("{before}{name}"));
        }
    }
}
