//! One rule: which calls it applies to, and what it says.

use std::fmt;

use switchboard_protocol::{Risk, ToolDefinition};

use super::call::{CallTraits, Command, Hit};
use super::start_files::is_start_file;
use super::text::TextPattern;
use switchboard_workspace::PathPattern;

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It runs without asking.
    Allow,
    /// The user is asked.
    Ask,
    /// It does not run.
    Deny,
}

impl Effect {
    /// All, the strongest first.
    pub const ALL: [Self; 3] = [Self::Deny, Self::Ask, Self::Allow];

    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// The effect of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.word() == word)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// Where a rule stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleSource {
    /// In the settings: the file with the line, the variable or the flag.
    Settings(String),
    /// In the session.
    Session,
}

impl RuleSource {
    /// For whoever must not see the server's paths.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Settings(_) => "in the settings",
            Self::Session => "of this session",
        }
    }
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub(super) effect: Effect,
    pub(super) subject: Subject,
    pub(super) pattern: Option<Pattern>,
    pub(super) text: String,
    pub(super) source: RuleSource,
}

/// For which tools a rule speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    /// The tool of this name.
    Tool(String),
    /// The tools whose names fit.
    Tools(TextPattern),
    /// The tools of this module.
    Module(String),
    /// The calls of this risk.
    Risk(Risk),
    /// No tool: the domains that commands reach.
    Network,
}

/// For which arguments a rule speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pattern {
    /// What a call is mainly about: the command, the files, the address. Which of them depends on the tool.
    Main { text: TextPattern, files: Result<PathPattern, String> },
    /// The argument of this name.
    Argument { name: String, text: TextPattern },
}

impl Rule {
    /// What it says.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it stands.
    #[must_use]
    pub fn source(&self) -> &RuleSource {
        &self.source
    }

    /// Whether the rule applies to any part of the call: for `ask` and `deny`.
    pub(super) fn hits(&self, call: &CallTraits<'_>) -> Hit {
        if !self.subject.is(call.definition, call.further) {
            return Hit::No;
        }
        let yes = |is: bool| if is { Hit::Yes } else { Hit::No };
        match &self.pattern {
            None => Hit::Yes,
            Some(Pattern::Argument { name, text }) => {
                yes(call.texts_of(name).is_some_and(|texts| texts.iter().any(|value| text.fits(value))))
            }
            Some(Pattern::Main { text, files }) => match &call.command {
                Some(command) => command.hits(text),
                None => {
                    let in_files = files.as_ref().is_ok_and(|files| call.paths.iter().any(|path| files.matches(path)));
                    yes(in_files || call.address.is_some_and(|address| text.fits(address)))
                }
            },
        }
    }

    /// Whether it allows this part of the call.
    pub(super) fn allows(&self, call: &CallTraits<'_>, part: &Part<'_>) -> bool {
        let speaks = self.subject.is(call.definition, call.further);
        if !speaks || call.further.is_some_and(|risk| !self.names_risk(risk)) {
            return false;
        }
        match (&self.pattern, part) {
            (None, _) => true,
            (Some(Pattern::Argument { name, text }), _) => {
                call.texts_of(name).is_some_and(|texts| !texts.is_empty() && texts.iter().all(|value| text.fits(value)))
            }
            (Some(Pattern::Main { text, .. }), Part::Command(command)) => Command::is_allowed(command, text),
            (Some(Pattern::Main { files, .. }), Part::Path(path)) => {
                files.as_ref().is_ok_and(|files| files.matches(path))
            }
            (Some(Pattern::Main { text, .. }), Part::Address(address)) => text.fits(address),
            (Some(Pattern::Main { .. }), Part::Whole) => false,
        }
    }

    /// Whether its own pattern is about files that shells, editors or git obey.
    pub(super) fn names_start_files(&self) -> bool {
        is_start_file(self.written_pattern())
    }

    /// Its pattern, as it was written.
    pub(super) fn written_pattern(&self) -> &str {
        self.text.split_once('(').map_or("", |(_, pattern)| pattern.trim_end_matches(')'))
    }

    /// Whether the risk that a call of this tool has beyond its usual one is named by the rule.
    fn names_risk(&self, risk: Risk) -> bool {
        match (&self.subject, &self.pattern) {
            (Subject::Risk(named), _) => *named == risk,
            (_, Some(Pattern::Argument { name, .. })) => risk == Risk::Network && name == "network",
            _ => false,
        }
    }

    /// Whether it closes files for tools like this one.
    pub(super) fn closes(&self, definition: &ToolDefinition) -> Option<&PathPattern> {
        let Some(Pattern::Main { files: Ok(files), .. }) = &self.pattern else { return None };
        let closes = self.effect == Effect::Deny && self.subject.is(definition, None);
        closes.then_some(files)
    }
}

/// One of the things a call does; each must be allowed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'a> {
    Command(&'a switchboard_sandbox::shell::PlainCommand),
    Path(&'a str),
    Address(&'a str),
    Whole,
}

impl Subject {
    pub(super) fn is(&self, definition: &ToolDefinition, further: Option<Risk>) -> bool {
        match self {
            Self::Tool(name) => definition.name == *name,
            Self::Tools(names) => names.fits(&definition.name),
            Self::Module(module) => definition.module == *module,
            Self::Risk(named) => definition.risk == *named || further == Some(*named),
            Self::Network => false,
        }
    }
}
