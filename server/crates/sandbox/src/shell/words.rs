//! A command line as the shell reads it: simple commands with their words unquoted. Enough of the grammar to see what
//! would run; what it cannot follow (values of variables, files of commands) it leaves alone.

use std::mem;

/// A simple command, or what stands for one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    /// Its words, unquoted, without redirections.
    pub(super) words: Vec<String>,
    /// Files that its output goes to.
    pub(super) targets: Vec<String>,
    /// Text that it reads as its input: from here-documents and here-strings.
    pub(super) input: Vec<String>,
    /// Whether its output is the next command's input.
    pub(super) piped: bool,
}

/// What a script would run, and the scripts within it: command substitutions.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) commands: Vec<Simple>,
    pub(super) inner: Vec<String>,
}

/// Reads a script.
pub(super) fn read(script: &str) -> Script {
    let mut reader = Reader { rest: script.chars().collect(), at: 0, script: Script::default(), ..Reader::default() };
    reader.run();
    reader.script
}

#[derive(Default)]
struct Reader {
    rest: Vec<char>,
    at: usize,
    script: Script,
    simple: Simple,
    word: Option<String>,
    /// What the next word is, if it is not an argument.
    next: Next,
    /// Here-documents whose text begins on the next line.
    documents: Vec<Document>,
}

struct Document {
    end: String,
    /// Whether tabs before its lines are taken off.
    tabs: bool,
    /// The place of the command that reads it.
    command: usize,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Next {
    #[default]
    Word,
    Target,
    Source,
    DocumentEnd {
        tabs: bool,
    },
    HereString,
}

impl Reader {
    fn run(&mut self) {
        while let Some(c) = self.take() {
            match c {
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' => {
                    self.end_simple(false);
                    self.read_documents();
                }
                '#' if self.word.is_none() => self.skip_line(),
                ';' | '(' | ')' => self.end_simple(false),
                '&' => self.ampersand(),
                '|' => {
                    let both = self.follows('|');
                    if !both {
                        self.follows('&');
                    }
                    self.end_simple(!both);
                }
                '>' => self.redirect_out(),
                '<' => self.redirect_in(),
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(),
                '\\' => match self.take() {
                    Some('\n') | None => {}
                    Some(c) => self.push(c),
                },
                '`' => self.backticks(),
                '$' => self.dollar(),
                c => self.push(c),
            }
        }
        self.end_simple(false);
    }

    fn take(&mut self) -> Option<char> {
        let c = self.rest.get(self.at).copied();
        self.at += usize::from(c.is_some());
        c
    }

    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn follows(&mut self, c: char) -> bool {
        let is_there = self.peek() == Some(c);
        self.at += usize::from(is_there);
        is_there
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match mem::take(&mut self.next) {
            Next::Word => self.simple.words.push(word),
            Next::Target => self.simple.targets.push(word),
            Next::Source => {}
            Next::DocumentEnd { tabs } => {
                self.documents.push(Document { end: word, tabs, command: self.script.commands.len() });
            }
            Next::HereString => self.simple.input.push(word),
        }
    }

    fn end_simple(&mut self, piped: bool) {
        self.end_word();
        self.simple.piped = piped;
        let simple = mem::take(&mut self.simple);
        if simple != (Simple { piped, ..Simple::default() }) {
            self.script.commands.push(simple);
        }
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.at += 1;
        }
    }

    /// `&&`, `&>file`, or the end of a command that goes on in the background.
    fn ampersand(&mut self) {
        if self.follows('>') {
            self.end_word();
            self.follows('>');
            self.next = Next::Target;
            return;
        }
        self.follows('&');
        self.end_simple(false);
    }

    /// `>file`, `>>file`, `2>file`, `>|file`; `>&1` goes to no file.
    fn redirect_out(&mut self) {
        self.drop_descriptor();
        self.follows('>');
        self.follows('|');
        if self.follows('&') {
            self.next = Next::Source;
            return;
        }
        self.next = Next::Target;
    }

    /// `<file`, `<<END`, `<<-END`, `<<<text`, `<>file`.
    fn redirect_in(&mut self) {
        self.drop_descriptor();
        if self.follows('>') {
            self.next = Next::Target;
        } else if !self.follows('<') {
            self.follows('&');
            self.next = Next::Source;
        } else if self.follows('<') {
            self.next = Next::HereString;
        } else {
            let tabs = self.follows('-');
            self.next = Next::DocumentEnd { tabs };
        }
    }

    /// A number right before a redirection is not a word.
    fn drop_descriptor(&mut self) {
        if self.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
    }

    fn single_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(c) = self.take() {
            if c == '\'' {
                return;
            }
            self.push(c);
        }
    }

    fn double_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(c) = self.take() {
            match c {
                '"' => return,
                '\\' => match self.take() {
                    Some('\n') | None => {}
                    Some(c @ ('"' | '\\' | '$' | '`')) => self.push(c),
                    Some(c) => {
                        self.push('\\');
                        self.push(c);
                    }
                },
                '`' => self.backticks(),
                '$' => self.dollar(),
                c => self.push(c),
            }
        }
    }

    fn backticks(&mut self) {
        self.word.get_or_insert_default();
        let mut inner = String::new();
        while let Some(c) = self.take() {
            match c {
                '`' => break,
                '\\' => inner.extend(self.take()),
                c => inner.push(c),
            }
        }
        self.script.inner.push(inner);
    }

    /// `$(script)` is a script of its own, `$'text'` is quoted; `${HOME}` is written `$HOME`.
    fn dollar(&mut self) {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.until_closed('(', ')');
                self.word.get_or_insert_default();
                self.script.inner.push(inner);
            }
            Some('{') => {
                self.at += 1;
                let name = self.until_closed('{', '}');
                let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                self.word.get_or_insert_default().push_str(&format!("${name}"));
            }
            Some('\'') => {}
            _ => self.push('$'),
        }
    }

    fn until_closed(&mut self, open: char, close: char) -> String {
        let mut depth = 1;
        let mut inner = String::new();
        while let Some(c) = self.take() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            inner.push(c);
        }
        inner
    }

    fn read_documents(&mut self) {
        for Document { end, tabs, command } in mem::take(&mut self.documents) {
            let mut text = String::new();
            while self.at < self.rest.len() {
                let line: String = self.rest[self.at..].iter().take_while(|c| **c != '\n').collect();
                self.at = (self.at + line.chars().count() + 1).min(self.rest.len());
                let line = if tabs { line.trim_start_matches('\t') } else { &line };
                if line == end {
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            if let Some(command) = self.script.commands.get_mut(command) {
                command.input.push(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(script: &str) -> Vec<Vec<String>> {
        read(script).commands.into_iter().map(|simple| simple.words).collect()
    }

    #[test]
    fn commands_are_told_apart_and_words_unquoted() {
        let script = "a 'b c' \"d $e\" f\\ g;h&&i||j|k&l\nm # rest\n(n);{ o; }";
        let expected: Vec<Vec<&str>> = vec![
            vec!["a", "b c", "d $e", "f g"],
            vec!["h"],
            vec!["i"],
            vec!["j"],
            vec!["k"],
            vec!["l"],
            vec!["m"],
            vec!["n"],
            vec!["{", "o"],
            vec!["}"],
        ];
        assert_eq!(words(script), expected);
    }

    #[test]
    fn redirections_are_no_words() {
        let simple = read("a 2>&1 >b c 2>>d <e <<<f &>g").commands.remove(0);

        assert_eq!(simple.words, ["a", "c"]);
        assert_eq!(simple.targets, ["b", "d", "g"]);
        assert_eq!(simple.input, ["f"]);
    }

    #[test]
    fn substitutions_are_scripts_of_their_own() {
        let script = read("a $(b $(c)) \"x `d` $(e)\" '$(f)' ${g:-h}");

        assert_eq!(script.inner, ["b $(c)", "d", "e"]);
        assert_eq!(script.commands[0].words, ["a", "", "x  ", "$(f)", "$g"]);
    }

    #[test]
    fn a_here_document_is_input_and_runs_nothing() {
        let script = read("cat <<'END' > out\nrm -rf /\nEND\nls");

        assert_eq!(script.commands.len(), 2);
        assert_eq!(script.commands[0].input, ["rm -rf /\n"]);
        assert_eq!(script.commands[0].targets, ["out"]);
        assert_eq!(script.commands[1].words, ["ls"]);
    }

    #[test]
    fn what_is_never_closed_ends_with_the_script() {
        for script in ["'", "\"", "$(", "${", "`", "\\", "<<", "<<X\na", ">", "&", "|", "((("] {
            read(script);
        }
    }
}
