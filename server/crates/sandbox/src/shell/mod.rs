//! Which commands a shell line runs, as far as its text says it: for refusing plain harm and for permissions.
//!
//! This is not a boundary: what a line does can be hidden from any reader of its text. The sandbox is the boundary.

mod command;
mod names;
mod plain;
mod raw;
mod scan;
mod starters;
mod unfold;
mod words;

pub use self::command::{PlainCommand, UNKNOWN};
use self::names::SHELLS;
pub use self::names::program;
pub use self::plain::plain_commands;
use self::starters::without_starters;
use self::words::{Simple, read};

/// One simple command of a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShellCommand {
    /// Its words, quotes removed.
    pub words: Vec<String>,
    /// Files that its output goes to.
    pub writes_to: Vec<String>,
}

/// What a line runs.
#[derive(Debug, Default)]
pub struct ShellLine {
    /// Every simple command.
    pub commands: Vec<ShellCommand>,
    /// The line, and every script inside it, as they are written.
    pub scripts: Vec<String>,
    /// There are scripts inside scripts that were not looked at any more.
    pub too_deep: bool,
}

/// How deep commands inside commands are looked at.
const MAX_DEPTH: usize = 8;

/// Every simple command of the line: those behind `;`, `&&`, `||`, `|`, `&` and line ends, in groups, in `$(…)` and in
/// backticks, and those that a shell is given by `-c`, `eval`, a pipe from `echo` or a here-document. What only starts
/// another command (`sudo`, `env`, `nohup`, assignments) is taken off.
pub fn read_line(line: &str) -> ShellLine {
    let mut found = ShellLine::default();
    found.collect(line, 0);
    found
}

impl ShellLine {
    fn collect(&mut self, script: &str, depth: usize) {
        if depth > MAX_DEPTH {
            self.too_deep = true;
            return;
        }
        self.scripts.push(script.to_owned());
        let read = read(script);
        let mut before: Option<Simple> = None;
        for mut simple in read.commands {
            simple.words = without_starters(simple.words);
            let given = before.as_ref().filter(|before| before.piped);
            for inner in scripts_of(&simple, given) {
                self.collect(&inner, depth + 1);
            }
            if !simple.words.is_empty() || !simple.targets.is_empty() {
                let (words, writes_to) = (simple.words.clone(), simple.targets.clone());
                self.commands.push(ShellCommand { words, writes_to });
            }
            before = Some(simple);
        }
        for inner in read.inner {
            self.collect(&inner, depth + 1);
        }
    }
}

/// The scripts that a command is given to run; `given` is the command whose output it reads.
fn scripts_of(simple: &Simple, given: Option<&Simple>) -> Vec<String> {
    let arguments = simple.words.get(1..).unwrap_or_default();
    match program(&simple.words) {
        "eval" => vec![arguments.join(" ")],
        "trap" => arguments.first().cloned().into_iter().collect(),
        "find" | "fd" => behind_exec(arguments),
        "su" | "script" | "watch" => behind_c(arguments),
        shell if SHELLS.contains(&shell) => {
            let mut scripts = behind_c(arguments);
            scripts.extend(simple.input.iter().cloned());
            scripts.extend(given.into_iter().flat_map(printed));
            scripts
        }
        _ => Vec::new(),
    }
}

/// The script in `-c script`, also in `-lc script`.
fn behind_c(arguments: &[String]) -> Vec<String> {
    let is_c = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    let place = arguments.iter().position(is_c);
    place.and_then(|place| arguments.get(place + 1)).cloned().into_iter().collect()
}

/// The command in `-exec command ;`, with the place of the search for what will be found.
fn behind_exec(arguments: &[String]) -> Vec<String> {
    let is_exec = |word: &String| matches!(word.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir" | "-x");
    let Some(place) = arguments.iter().position(is_exec) else { return Vec::new() };
    let start = arguments.first().map_or(".", String::as_str);
    let is_narrowed = arguments[..place].iter().any(|word| matches!(word.as_str(), "-name" | "-iname" | "-path"));
    let found = if is_narrowed { "found" } else { start };
    let command = arguments[place + 1..].iter().take_while(|word| *word != ";" && *word != "+");
    let words = command.map(|word| quoted(if word == "{}" { found } else { word }));
    vec![words.collect::<Vec<_>>().join(" ")]
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What `echo` and its like would print.
fn printed(simple: &Simple) -> Vec<String> {
    let mut printed = simple.input.clone();
    if matches!(program(&simple.words), "echo" | "printf") {
        let text = simple.words[1..].iter().skip_while(|word| word.starts_with('-'));
        printed.push(text.cloned().collect::<Vec<_>>().join(" ").replace("\\n", "\n"));
    }
    printed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&[&str]]) {
        let mut found: Vec<Vec<String>> = read_line(line).commands.into_iter().map(|command| command.words).collect();
        found.retain(|words| !words.is_empty());
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn a_line_is_split_into_its_commands() {
        check("ls -la", &[&["ls", "-la"]]);
        check("a 1; b && c || d | e & f\ng", &[&["a", "1"], &["b"], &["c"], &["d"], &["e"], &["f"], &["g"]]);
        check("(cd x; ls)", &[&["cd", "x"], &["ls"]]);
        check("", &[]);
    }

    #[test]
    fn quotes_hold_words_together() {
        check("echo 'a; b' \"c && d\" e\\;f", &[&["echo", "a; b", "c && d", "e;f"]]);
        check("echo a#b # rm", &[&["echo", "a#b"]]);
    }

    #[test]
    fn commands_inside_commands_are_found() {
        check("echo $(rm x) `rm y`", &[&["echo", "", ""], &["rm", "x"], &["rm", "y"]]);
        check("echo \"$(rm x)\"", &[&["echo", ""], &["rm", "x"]]);
        check("bash -c 'rm x; ls'", &[&["rm", "x"], &["ls"], &["bash", "-c", "rm x; ls"]]);
        check("eval \"rm x\"", &[&["rm", "x"], &["eval", "rm x"]]);
    }

    #[test]
    fn what_only_starts_a_command_is_taken_off() {
        check("A=1 sudo -n env B=2 rm x", &[&["rm", "x"]]);
        check("timeout 5 nohup rm x", &[&["rm", "x"]]);
        check("if true; then rm x; fi", &[&["true"], &["rm", "x"], &["fi"]]);
    }

    #[test]
    fn redirections_are_no_words() {
        let found = read_line("echo a 2> errors >out >> more 2>&1").commands;
        assert_eq!(found[0].words, ["echo", "a"]);
        assert_eq!(found[0].writes_to, ["errors", "out", "more"]);
    }

    #[test]
    fn unfinished_lines_do_no_harm() {
        for line in ["echo '", "echo \"", "echo $(", "echo `", "echo \\", ">", "&", "((((", "a $(b $(c"] {
            let _ = read_line(line);
        }
    }
}
