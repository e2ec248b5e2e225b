//! Which commands a shell line runs, as far as its text says it: for refusing plain harm and for permissions.
//!
//! This is no boundary: what a line does can be hidden from any reader of its text. The sandbox is the boundary.

/// One simple command of a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ShellCommand {
    /// Its words, quotes removed.
    pub(crate) words: Vec<String>,
    /// Files that its output goes to.
    pub(crate) writes_to: Vec<String>,
}

/// How deep commands inside commands are looked at.
const MAX_DEPTH: usize = 8;

/// Every simple command of the line: those behind `;`, `&&`, `||`, `|`, `&` and line ends, in groups, in `$(…)` and in
/// backticks, and those that a shell is given by `-c` or `eval`. What only starts another command (`sudo`, `env`,
/// `nohup`, assignments) is taken off.
pub(crate) fn commands(line: &str) -> Vec<ShellCommand> {
    let mut found = Vec::new();
    collect(line, 0, &mut found);
    found
}

fn collect(line: &str, depth: usize, found: &mut Vec<ShellCommand>) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut reader = Reader { rest: line.chars().collect(), at: 0, inner: Vec::new() };
    for command in reader.commands() {
        let command = without_starters(command);
        if let Some(script) = script_of(&command) {
            collect(&script, depth + 1, found);
        }
        if !command.words.is_empty() || !command.writes_to.is_empty() {
            found.push(command);
        }
    }
    for inner in reader.inner {
        collect(&inner, depth + 1, found);
    }
}

/// The base name of a command's program.
pub(crate) fn program(command: &ShellCommand) -> &str {
    let first = command.words.first().map_or("", String::as_str);
    first.rsplit('/').next().unwrap_or(first)
}

fn without_starters(mut command: ShellCommand) -> ShellCommand {
    loop {
        let Some(first) = command.words.first() else { return command };
        let is_assignment = first.split_once('=').is_some_and(|(name, _)| is_name(name));
        let name = first.rsplit('/').next().unwrap_or(first);
        let takes = match name {
            _ if is_assignment => 1,
            "sudo" | "doas" | "env" | "nohup" | "time" | "nice" | "ionice" | "exec" | "command" | "builtin"
            | "setsid" | "stdbuf" | "xargs" | "then" | "do" | "else" | "!" | "if" | "while" | "until" | "{" | "(" => {
                1 + command.words.iter().skip(1).take_while(|word| word.starts_with('-')).count()
            }
            "timeout" => 2 + command.words.iter().skip(1).take_while(|word| word.starts_with('-')).count(),
            _ => return command,
        };
        command.words.drain(..takes.min(command.words.len()));
    }
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// What a shell is told to run.
fn script_of(command: &ShellCommand) -> Option<String> {
    match program(command) {
        "eval" => Some(command.words[1..].join(" ")),
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "su" => {
            let flag = command
                .words
                .iter()
                .position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))?;
            command.words.get(flag + 1).cloned()
        }
        _ => None,
    }
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    /// Texts of `$(…)` and of backticks.
    inner: Vec<String>,
}

impl Reader {
    fn commands(&mut self) -> Vec<ShellCommand> {
        let mut commands = Vec::new();
        let mut command = ShellCommand::default();
        let mut redirected = false;
        while let Some(&next) = self.rest.get(self.at) {
            match next {
                ';' | '&' | '|' | '\n' | '(' | ')' => {
                    self.at += 1;
                    // `>&2` and `&>` belong to a redirection.
                    if next == '&' && (redirected || self.rest.get(self.at) == Some(&'>')) {
                        continue;
                    }
                    redirected = false;
                    commands.push(std::mem::take(&mut command));
                }
                '>' => {
                    self.at += 1;
                    redirected = true;
                    if command
                        .words
                        .last()
                        .is_some_and(|word| word.len() == 1 && word.chars().all(|c| c.is_ascii_digit()))
                    {
                        command.words.pop();
                    }
                }
                '#' if self.at == 0 || self.rest[self.at - 1].is_whitespace() => {
                    while self.rest.get(self.at).is_some_and(|c| *c != '\n') {
                        self.at += 1;
                    }
                }
                c if c.is_whitespace() => self.at += 1,
                _ => {
                    let word = self.word();
                    if std::mem::take(&mut redirected) {
                        command.writes_to.push(word);
                    } else {
                        command.words.push(word);
                    }
                }
            }
        }
        commands.push(command);
        commands
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(&next) = self.rest.get(self.at) {
            match next {
                c if c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')' | '>') => break,
                '\'' => {
                    self.at += 1;
                    word.push_str(&self.up_to('\''));
                }
                '"' => self.double_quoted(&mut word),
                '\\' => {
                    if let Some(&escaped) = self.rest.get(self.at + 1).filter(|c| **c != '\n') {
                        word.push(escaped);
                    }
                    self.at += 2;
                }
                _ => self.plain(&mut word),
            }
        }
        word
    }

    fn double_quoted(&mut self, word: &mut String) {
        self.at += 1;
        while let Some(&next) = self.rest.get(self.at) {
            match next {
                '"' => {
                    self.at += 1;
                    return;
                }
                '\\' => {
                    if let Some(&escaped) = self.rest.get(self.at + 1) {
                        word.push(escaped);
                    }
                    self.at += 2;
                }
                _ => self.plain(word),
            }
        }
    }

    /// A character that may begin a command inside the word.
    fn plain(&mut self, word: &mut String) {
        let next = self.rest[self.at];
        self.at += 1;
        if next == '`' {
            let inner = self.up_to('`');
            self.inner.push(inner);
        } else if matches!(next, '$' | '<') && self.rest.get(self.at) == Some(&'(') {
            self.at += 1;
            let inner = self.up_to_closing();
            self.inner.push(inner);
        } else {
            word.push(next);
        }
    }

    fn up_to(&mut self, end: char) -> String {
        let begin = self.at.min(self.rest.len());
        let length = self.rest[begin..].iter().take_while(|c| **c != end).count();
        self.at = begin + length + 1;
        self.rest[begin..begin + length].iter().collect()
    }

    fn up_to_closing(&mut self) -> String {
        let begin = self.at;
        let mut open = 1;
        while let Some(&next) = self.rest.get(self.at) {
            open += match next {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            self.at += 1;
            if open == 0 {
                return self.rest[begin..self.at - 1].iter().collect();
            }
        }
        self.rest[begin.min(self.rest.len())..].iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&[&str]]) {
        let mut found: Vec<Vec<String>> = commands(line).into_iter().map(|command| command.words).collect();
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
        let found = commands("echo a 2> errors >out >> more 2>&1");
        assert_eq!(found[0].words, ["echo", "a"]);
        assert_eq!(found[0].writes_to, ["errors", "out", "more", "1"]);
    }

    #[test]
    fn unfinished_lines_do_no_harm() {
        for line in ["echo '", "echo \"", "echo $(", "echo `", "echo \\", ">", "&", "((((", "a $(b $(c"] {
            let _ = commands(line);
        }
    }
}
