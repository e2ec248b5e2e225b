//! What a clause asks for: something to say, something to do, or something to answer.

use serde_json::Value;

use super::clause::Clause;

/// What a clause asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Goal {
    /// A few words between people.
    Talk(Talk),
    /// A tool does it.
    Act(Act),
    /// The context or the conversation answers it, perhaps after a tool has brought what is needed.
    Ask(Question),
    /// It could mean several things; what to ask the user.
    Unclear(String),
    /// Only a name for what the clause before makes: `and call it answer`.
    Name(String),
}

/// Small talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Talk {
    Greeting,
    Thanks,
    Goodbye,
    Identity,
    Abilities,
    Mood,
    Acknowledgement,
}

/// Kinds of work that the rules know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Skill {
    Read,
    Write,
    Edit,
    Undo,
    List,
    Glob,
    Grep,
    Run,
    Compute,
    Time,
    Parse,
    Query,
    Store,
    /// Fetch a page of the web.
    Fetch,
    /// Search the web.
    Search,
    /// Anything else: the search decides.
    Other,
}

impl Skill {
    /// Those with a built-in tool.
    const BUILT_IN: [Self; 15] = [
        Self::Read,
        Self::Write,
        Self::Edit,
        Self::Undo,
        Self::List,
        Self::Glob,
        Self::Grep,
        Self::Run,
        Self::Compute,
        Self::Time,
        Self::Parse,
        Self::Query,
        Self::Store,
        Self::Fetch,
        Self::Search,
    ];

    /// What a tool is for.
    pub(super) fn of_tool(name: &str) -> Self {
        Self::BUILT_IN.into_iter().find(|skill| skill.tool() == Some(name)).unwrap_or(Self::Other)
    }

    /// The built-in tool for it.
    pub(super) fn tool(self) -> Option<&'static str> {
        Some(match self {
            Self::Read => "file_read",
            Self::Write => "file_write",
            Self::Edit => "file_edit",
            Self::Undo => "file_undo",
            Self::List => "list_directory",
            Self::Glob => "glob",
            Self::Grep => "grep",
            Self::Run => "bash",
            Self::Compute => "calculator",
            Self::Time => "current_time",
            Self::Parse => "json_parse",
            Self::Query => "json_query",
            Self::Store => "store_variable",
            Self::Fetch => "web_fetch",
            Self::Search => "web_search",
            Self::Other => return None,
        })
    }

    /// Whether it is about the web, which no tool for files can take the place of.
    pub(super) fn is_of_the_web(self) -> bool {
        matches!(self, Self::Fetch | Self::Search)
    }

    /// What the search looks for beside the user's words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Read => "read the contents of a file",
            Self::Write => "write text to a file",
            Self::Edit => "edit a file: find and replace text",
            Self::Undo => "undo changes of files",
            Self::List => "list the files in a directory",
            Self::Glob => "find files by name pattern",
            Self::Grep => "search text in files",
            Self::Run => "run a shell command",
            Self::Compute => "calculate an expression",
            Self::Time => "tell the current date and time",
            Self::Parse => "parse JSON",
            Self::Query => "query JSON with a jq filter",
            Self::Store => "store a value in a variable",
            Self::Fetch => "fetch a web page",
            Self::Search => "search the web",
            Self::Other => "",
        }
    }
}

/// What a value is for; the schema's parameters are matched to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Path,
    Folder,
    Glob,
    Pattern,
    /// What somebody looks for, in words.
    Query,
    Content,
    /// A text that is replaced, and what is in its place.
    Find,
    Replacement,
    /// Whether every place is meant.
    Everywhere,
    Expression,
    Command,
    Zone,
    Name,
    Value,
    Filter,
    Url,
    Email,
    Limit,
    Offset,
    Seconds,
    Place,
    Variables,
    /// Whether capital and lowercase letters are the same.
    AnyCase,
    /// A number that is none of the above.
    Amount,
    /// Nothing that the rules know.
    Other,
}

/// A value, or how to come by it when the call is made.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given {
    /// A constant or a reference.
    Value(Value),
    /// The last result.
    That,
    /// The file, or files, that the last result is about.
    ThatFile,
    /// The folder that was listed last.
    ThatFolder,
    /// One of the files listed last, counted from 0, -1 for the last.
    Nth(i64),
}

impl Given {
    pub(super) fn text(text: &str) -> Self {
        Self::Value(Value::String(text.to_owned()))
    }
}

/// Something to do.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Act {
    pub(super) skill: Skill,
    /// The user's words for it.
    pub(super) clause: Clause,
    /// What the intent has found out already.
    pub(super) given: Vec<(Role, Given)>,
    /// The name that the user gave for the result.
    pub(super) output: Option<String>,
    /// The tool that the user named.
    pub(super) tool: Option<String>,
    /// Another tool that fits goes before the built-in one: the words say little.
    pub(super) tentative: bool,
    /// Exactly these arguments: the same call again.
    pub(super) exactly: Option<serde_json::Map<String, Value>>,
    /// One of several calls that a request asks for at once.
    pub(super) planned: bool,
}

impl Act {
    pub(super) fn new(skill: Skill, clause: &Clause) -> Self {
        Self {
            skill,
            clause: clause.clone(),
            given: Vec::new(),
            output: None,
            tool: None,
            tentative: false,
            exactly: None,
            planned: false,
        }
    }

    /// Whether it is for a tool that no intent knows and nobody named.
    pub(super) fn is_foreign(&self) -> bool {
        self.skill == Skill::Other && self.tool.is_none() && self.exactly.is_none() && self.given.is_empty()
    }

    pub(super) fn with(mut self, role: Role, given: Given) -> Self {
        self.given.push((role, given));
        self
    }

    pub(super) fn with_text(self, role: Role, text: &str) -> Self {
        self.with(role, Given::text(text))
    }
}

/// Something to answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    pub(super) about: About,
    pub(super) source: Source,
    /// The user's words for it.
    pub(super) clause: Clause,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum About {
    /// The value under a key that these words describe.
    Field(Vec<String>),
    /// How it is built: keys, types, counts, depth.
    Structure,
    /// How many of these.
    Count(Unit),
    /// The value itself.
    Whole,
    /// The last lines of a text.
    Ending(u64),
    /// One line of a text, counted from 0, -1 for the last.
    Line(i64),
    /// One element, counted from 0, -1 for the last.
    Element(i64),
    /// Something that the user stored: of this type, if they said so.
    Stored(Option<switchboard_protocol::ValueType>),
    /// What the variables are.
    Variables,
    /// What the user said before.
    Said,
    /// What the agent did before.
    Done,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Lines,
    Words,
    Characters,
    Bytes,
    /// Files, keys, elements, matches: whatever the value consists of.
    Items,
}

/// Where the answer is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// In a file, which must be read first.
    File(Given),
    /// In the variable of this reference, without the `@`.
    Variable(String),
    /// In the last result.
    That,
    /// Somewhere in the context.
    Context,
}
