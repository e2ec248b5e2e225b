//! Cuts a script into commands and words as bash does; gives up on whatever it does not know for certain. That includes
//! what bash itself reads in more than one way: here-documents, escapes in backticks, line ends that are escaped inside a
//! word or an operator, and braces that become several words.

use std::mem;

use super::command::{MAX_COMMANDS, UNKNOWN, is_assignment, is_name_sign};
use super::raw::{LEADING, Raw, Word};

/// The commands of a script, with their keywords, and the scripts inside it, which are still to be read.
pub(super) fn scan(script: &str) -> Option<(Vec<Raw>, Vec<String>)> {
    let mut reader = Reader { rest: script.chars().collect(), ..Reader::default() };
    reader.run()?;
    Some((reader.commands, reader.inner))
}

#[derive(Default)]
struct Reader {
    rest: Vec<char>,
    at: usize,
    commands: Vec<Raw>,
    /// Scripts inside this one.
    inner: Vec<String>,
    command: Raw,
    word: Option<Word>,
    next: Next,
    /// An opening brace stands unquoted in the word.
    brace: bool,
    open: usize,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Next {
    #[default]
    Word,
    Target,
    Source,
}

impl Reader {
    fn run(&mut self) -> Option<()> {
        while let Some(c) = self.take() {
            match c {
                ' ' | '\t' => self.end_word(),
                '\n' => self.end_command()?,
                '#' if self.word.is_none() => self.skip_line(),
                ';' => {
                    if self.peek() == Some(';') {
                        return None;
                    }
                    self.end_command()?;
                }
                '(' => self.open_group()?,
                ')' => {
                    self.open = self.open.checked_sub(1)?;
                    self.end_command()?;
                }
                '&' if self.follows('>') => self.redirect_out()?,
                '&' => {
                    self.follows('&');
                    self.end_command()?;
                }
                '|' => {
                    let _ = self.follows('|') || self.follows('&');
                    self.end_command()?;
                }
                '>' => {
                    self.drop_descriptor();
                    self.redirect_out()?;
                }
                '<' => {
                    self.drop_descriptor();
                    self.redirect_in()?;
                }
                '\'' => self.single_quoted()?,
                '"' => self.double_quoted()?,
                '\\' => match self.take()? {
                    '\n' => self.continued()?,
                    c => {
                        let word = self.word.get_or_insert_default();
                        word.quoted = true;
                        word.text.push(c);
                    }
                },
                '`' => self.backticks()?,
                '$' => self.dollar(false)?,
                c => {
                    self.brace(c)?;
                    self.push(c);
                }
            }
        }
        self.end_command()?;
        (self.open == 0).then_some(())
    }

    /// An escaped line end between two words; bash also takes it out of operators and names, as in `$\⏎(script)`.
    fn continued(&self) -> Option<()> {
        let before = self.at.checked_sub(3).and_then(|at| self.rest.get(at));
        (self.word.is_none() && before.is_some_and(|c| matches!(c, ' ' | '\t'))).then_some(())
    }

    /// `{a,b}` and `{1..3}` are several words, of which any could be a command's option.
    fn brace(&mut self, c: char) -> Option<()> {
        self.brace &= self.word.is_some();
        match c {
            '{' => self.brace = true,
            ',' if self.brace => return None,
            '.' if self.brace && self.peek() == Some('.') => return None,
            _ => {}
        }
        Some(())
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek();
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
        self.word.get_or_insert_default().text.push(c);
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.at += 1;
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match mem::take(&mut self.next) {
            Next::Word if self.command.words.is_empty() && is_assignment(&word.text) => self.command.assigns = true,
            Next::Word => self.command.words.push(word),
            Next::Target => self.command.writes_to.push(word.text),
            Next::Source => {}
        }
    }

    fn end_command(&mut self) -> Option<()> {
        self.end_word();
        if self.next != Next::Word {
            return None;
        }
        let command = mem::take(&mut self.command);
        if !command.words.is_empty() || command.assigns || !command.writes_to.is_empty() {
            self.commands.push(command);
        }
        (self.commands.len() <= MAX_COMMANDS).then_some(())
    }

    /// A group begins where a command would; anything else is a function, an array or arithmetic.
    fn open_group(&mut self) -> Option<()> {
        let begins = self.word.is_none()
            && self.next == Next::Word
            && self.command.writes_to.is_empty()
            && self.command.words.iter().all(|word| !word.quoted && LEADING.contains(&word.text.as_str()));
        if !begins || self.command.assigns || self.peek() == Some('(') {
            return None;
        }
        self.command = Raw::default();
        self.open += 1;
        Some(())
    }

    /// A number right before a redirection is not a word.
    fn drop_descriptor(&mut self) {
        let digits = |word: &Word| !word.quoted && word.text.bytes().all(|byte| byte.is_ascii_digit());
        if self.word.as_ref().is_some_and(digits) {
            self.word = None;
        }
    }

    fn begin_redirection(&mut self) -> Option<()> {
        self.end_word();
        self.command.redirected_at.get_or_insert(self.command.words.len());
        (self.next == Next::Word).then_some(())
    }

    fn redirect_out(&mut self) -> Option<()> {
        if self.peek() == Some('(') {
            self.at += 1;
            return self.substitution();
        }
        self.begin_redirection()?;
        let _ = self.follows('>') || self.follows('|');
        self.next = Next::Target;
        if self.follows('&') {
            return self.descriptor();
        }
        Some(())
    }

    /// `>&1` and `>&-` go to no file; `>&name` goes to one.
    fn descriptor(&mut self) -> Option<()> {
        let digits = self.rest[self.at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let length = if digits == 0 && self.peek() == Some('-') { 1 } else { digits };
        let end = self.rest.get(self.at + length);
        let ends = end.is_none_or(|c| " \t\n;|&)".contains(*c));
        if length == 0 || !ends {
            return None;
        }
        self.at += length;
        self.next = Next::Word;
        Some(())
    }

    fn redirect_in(&mut self) -> Option<()> {
        if self.peek() == Some('(') {
            self.at += 1;
            return self.substitution();
        }
        self.begin_redirection()?;
        if self.follows('>') {
            self.next = Next::Target;
        } else if !self.follows('<') {
            self.next = Next::Source;
            if self.follows('&') {
                return self.descriptor();
            }
        } else if self.follows('<') {
            self.next = Next::Source;
        } else {
            // Where a here-document ends, and what is a command in it, is for bash to say.
            return None;
        }
        Some(())
    }

    /// Commands in a word: what they put out is not known, what they are is.
    fn substitution(&mut self) -> Option<()> {
        let script = self.until_closed()?;
        self.push(UNKNOWN);
        self.inner.push(script);
        Some(())
    }

    fn single_quoted(&mut self) -> Option<()> {
        self.word.get_or_insert_default().quoted = true;
        loop {
            match self.take()? {
                '\'' => return Some(()),
                c => self.push(c),
            }
        }
    }

    fn double_quoted(&mut self) -> Option<()> {
        self.word.get_or_insert_default().quoted = true;
        loop {
            match self.take()? {
                '"' => return Some(()),
                '\\' => match self.take()? {
                    '\n' => return None,
                    c @ ('"' | '\\' | '$' | '`') => self.push(c),
                    c => {
                        self.push('\\');
                        self.push(c);
                    }
                },
                // In quotes bash takes escapes out of it twice.
                '`' => return None,
                '$' => self.dollar(true)?,
                c => self.push(c),
            }
        }
    }

    fn backticks(&mut self) -> Option<()> {
        let mut script = String::new();
        loop {
            match self.take()? {
                '`' => break,
                '\\' => return None,
                c => script.push(c),
            }
        }
        self.push(UNKNOWN);
        self.inner.push(script);
        Some(())
    }

    /// `$name`, `${name}`, `$1`, `$(script)`; whatever else a dollar can begin is not followed.
    fn dollar(&mut self, quoted: bool) -> Option<()> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                if self.peek() == Some('(') {
                    return None;
                }
                self.substitution()
            }
            Some('{') => {
                self.at += 1;
                let name: String = self.rest[self.at..].iter().take_while(|c| is_name_sign(**c)).collect();
                self.at += name.chars().count();
                (!name.is_empty() && self.follows('}')).then(|| self.push(UNKNOWN))
            }
            Some('\'' | '"') if !quoted => None,
            Some('[') => None,
            Some(c) if is_name_sign(c) => {
                while self.peek().is_some_and(is_name_sign) {
                    self.at += 1;
                }
                self.push(UNKNOWN);
                Some(())
            }
            Some('?' | '$' | '!' | '#' | '@' | '*' | '-') => {
                self.at += 1;
                self.push(UNKNOWN);
                Some(())
            }
            _ => {
                self.push('$');
                Some(())
            }
        }
    }

    /// The script up to the parenthesis that closes it; quotes are heeded.
    fn until_closed(&mut self) -> Option<String> {
        let (mut depth, mut quote, mut script) = (1, None, String::new());
        loop {
            let c = self.take()?;
            match (c, quote) {
                ('\\', None | Some('"')) => {
                    script.push(c);
                    script.push(self.take()?);
                    continue;
                }
                ('\'' | '"', None) => quote = Some(c),
                ('`' | '#', None) => return None,
                (c, Some(open)) if c == open => quote = None,
                ('$' | '`', Some('"')) => return None,
                ('(', None) => depth += 1,
                (')', None) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(script);
            }
            script.push(c);
        }
    }
}
