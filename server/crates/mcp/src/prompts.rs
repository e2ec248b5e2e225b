//! A server's prompts: texts that it has ready, which a person sends as their own message by naming them. What comes
//! is foreign text all the same, so it says where it comes from.

use std::collections::BTreeSet;
use std::time::Duration;

use rmcp::model::{
    ClientRequest, ContentBlock, GetPromptRequest, GetPromptRequestParams, ListPromptsRequest, PaginatedRequestParams,
    PromptMessage, ResourceContents, Role, ServerResult,
};
use serde_json::{Map, Value};

use super::client::Connection;
use super::file::ServerConfig;
use super::names::{sanitized, tool_name};

/// How many prompts of one server are taken, and how many arguments of one prompt.
const MAX_PROMPTS: usize = 200;
const MAX_ARGUMENTS: usize = 32;

/// How many pages of prompts are asked for.
const MAX_PAGES: usize = 20;

/// The longest text that a prompt may come to, in bytes.
const MAX_TEXT: usize = 256 * 1024;

/// The longest description, in bytes.
const MAX_DESCRIPTION: usize = 500;

/// A prompt of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The command that sends it, without the slash: `server__prompt`.
    pub command: String,
    /// What it is for, in the server's words.
    pub description: String,
    /// What it takes, in order.
    pub arguments: Vec<PromptArgument>,
    /// As the file names the server.
    pub server: String,
    /// As the server calls it.
    name: String,
}

/// Something that a prompt takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// What it is for, in the server's words.
    pub description: String,
    /// Whether the prompt needs it.
    pub required: bool,
}

impl Prompt {
    fn new(server: &ServerConfig, prompt: rmcp::model::Prompt) -> Result<Self, String> {
        let command = tool_name(&server.id, &prompt.name)?;
        let given = prompt.arguments.unwrap_or_default();
        if given.len() > MAX_ARGUMENTS {
            return Err(format!("it takes more than {MAX_ARGUMENTS} arguments"));
        }
        let mut arguments = Vec::new();
        for argument in given {
            if !is_word(&argument.name) {
                return Err("the name of one of its arguments is not a single word".to_owned());
            }
            let description = short(argument.description.as_deref().unwrap_or_default());
            arguments.push(PromptArgument {
                name: argument.name,
                description,
                required: argument.required.unwrap_or_default(),
            });
        }
        let description = short(prompt.description.or(prompt.title).as_deref().unwrap_or_default());
        Ok(Self { command, description, arguments, server: server.name.clone(), name: prompt.name })
    }

    /// How it is used: `/everything__args_prompt city=… [state=…]`.
    #[must_use]
    pub fn usage(&self) -> String {
        let argument = |argument: &PromptArgument| match argument.required {
            true => format!(" {}=…", argument.name),
            false => format!(" [{}=…]", argument.name),
        };
        format!("/{}{}", self.command, self.arguments.iter().map(argument).collect::<String>())
    }

    /// The arguments that a person wrote behind the command: `name=value` each, or their values in order; a value with
    /// spaces is in quotes, and the last of those in order takes the rest.
    ///
    /// # Errors
    /// What is wrong, for the person.
    pub fn parse(&self, written: &str) -> Result<Map<String, Value>, String> {
        let mut given = Map::new();
        let mut words = words(written)?;
        let named = |word: &Word| {
            let (name, value) = word.text.split_once('=')?;
            let known = !word.quoted && self.arguments.iter().any(|argument| argument.name == name);
            known.then(|| (name.to_owned(), value.to_owned()))
        };
        let mut in_order = Vec::new();
        for word in words.drain(..) {
            match named(&word) {
                Some((name, value)) if !given.contains_key(&name) => {
                    given.insert(name, value.into());
                }
                Some((name, _)) => return Err(format!("`{name}` is given twice")),
                None => in_order.push(word.text),
            }
        }
        let mut free = self.arguments.iter().filter(|argument| !given.contains_key(&argument.name)).collect::<Vec<_>>();
        if free.is_empty() && !in_order.is_empty() {
            return Err(match self.arguments.as_slice() {
                [] => "this prompt takes no arguments".to_owned(),
                _ => format!("`{}` is one argument too many for this prompt", in_order.join(" ")),
            });
        }
        let last = free.len().min(in_order.len());
        let rest = in_order.split_off(last.saturating_sub(1)).join(" ");
        let values = in_order.into_iter().chain((last > 0).then_some(rest));
        let filled: Vec<_> = free.drain(..last).map(|argument| argument.name.clone()).zip(values).collect();
        given.extend(filled.into_iter().map(|(name, value)| (name, value.into())));
        let missing: Vec<_> = self.arguments.iter().filter(|a| a.required && !given.contains_key(&a.name)).collect();
        if missing.is_empty() {
            return Ok(given);
        }
        let line = |argument: &&PromptArgument| match argument.description.as_str() {
            "" => format!("`{}`", argument.name),
            description => format!("`{}` ({description})", argument.name),
        };
        Err(format!("{} is missing", missing.iter().map(line).collect::<Vec<_>>().join(" and ")))
    }

    /// Asks the server for the text.
    pub(super) async fn text(
        &self,
        connection: &Connection,
        arguments: Map<String, Value>,
        limit: Duration,
    ) -> Result<String, String> {
        let params = GetPromptRequestParams::new(self.name.clone()).with_arguments(arguments);
        match connection.ask(ClientRequest::GetPromptRequest(GetPromptRequest::new(params)), limit).await? {
            ServerResult::GetPromptResult(result) => text_of(result.messages),
            ServerResult::InputRequiredResult(_) => {
                Err("it asks for more before it gives the prompt, which only tools and resources may do".to_owned())
            }
            _ => Err("it answered with something that is not a prompt".to_owned()),
        }
    }
}

/// All prompts of a server, and what was left out.
pub(super) async fn list(
    server: &ServerConfig,
    connection: &Connection,
    limit: Duration,
) -> (Vec<Prompt>, Vec<String>) {
    let (mut prompts, mut notes) = (Vec::new(), Vec::new());
    if !connection.has_prompts() {
        return (prompts, notes);
    }
    let (mut cursor, mut names) = (None, BTreeSet::new());
    for _ in 0..MAX_PAGES {
        let params = PaginatedRequestParams::default().with_cursor(cursor.take());
        let request = ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(params));
        let page = match connection.ask(request, limit).await {
            Ok(ServerResult::ListPromptsResult(page)) => page,
            Ok(_) => return told(prompts, notes, "its prompts could not be listed: it answered with something else"),
            Err(problem) => return told(prompts, notes, &format!("its prompts could not be listed: {problem}")),
        };
        for prompt in page.prompts {
            let called = prompt.name.chars().take(80).collect::<String>();
            match Prompt::new(server, prompt) {
                Ok(prompt) if names.insert(prompt.command.clone()) => prompts.push(prompt),
                Ok(prompt) => notes.push(format!(
                    "the prompt {called:?} is skipped: there is another prompt named {}",
                    prompt.command
                )),
                Err(problem) => notes.push(format!("the prompt {called:?} is skipped: {problem}")),
            }
            if prompts.len() >= MAX_PROMPTS {
                return told(prompts, notes, &format!("it has more than {MAX_PROMPTS} prompts; the rest are skipped"));
            }
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            return (prompts, notes);
        }
    }
    told(prompts, notes, &format!("its list of prompts has more than {MAX_PAGES} pages; the rest are skipped"))
}

fn told(prompts: Vec<Prompt>, mut notes: Vec<String>, note: &str) -> (Vec<Prompt>, Vec<String>) {
    notes.push(note.to_owned());
    (prompts, notes)
}

/// The messages of a prompt as one text: what the server lays into the agent's mouth is marked, and a resource is told
/// from the words around it.
fn text_of(messages: Vec<PromptMessage>) -> Result<String, String> {
    let mut parts = Vec::new();
    for message in messages {
        let (text, _) = cleaned_whole(&block_text(message.content));
        parts.push(match message.role {
            Role::User => text,
            Role::Assistant => format!("(as an example of an answer)\n{text}"),
        });
    }
    let text = parts.join("\n\n").trim().to_owned();
    match text.len() {
        0 => Err("it answered with an empty prompt".to_owned()),
        length if length > MAX_TEXT => Err(format!("its prompt is longer than {MAX_TEXT} bytes")),
        _ => Ok(text),
    }
}

fn block_text(block: ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text,
        ContentBlock::Image(image) => format!("(an image, {})", image.mime_type),
        ContentBlock::Audio(audio) => format!("(a sound, {})", audio.mime_type),
        ContentBlock::ResourceLink(link) => format!("(a link to {})", link.uri),
        ContentBlock::Resource(resource) => match resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("{uri}:\n{}", fenced(&text)),
            ResourceContents::BlobResourceContents { uri, .. } => format!("{uri}: (bytes)"),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// A text in a fence that is longer than any in it.
fn fenced(text: &str) -> String {
    let longest = text.lines().map(|line| line.chars().take_while(|c| *c == '`').count()).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

/// Cleaned like a description, however long it is.
fn cleaned_whole(text: &str) -> (String, bool) {
    let mut hidden = false;
    let lines: Vec<_> = text
        .split('\n')
        .map(|line| {
            let (line, found) = sanitized(line);
            hidden |= found;
            line
        })
        .collect();
    (lines.join("\n"), hidden)
}

/// A word of what a person wrote.
struct Word {
    text: String,
    /// It began with a quotation mark.
    quoted: bool,
}

/// The words of a text; what is in quotes is one, also behind `name=`.
fn words(text: &str) -> Result<Vec<Word>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<Word>, None);
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert(Word { text: String::new(), quoted: true }).text.push(c),
            None if c.is_whitespace() => words.extend(word.take()),
            None if c == '"' && word.as_ref().is_none_or(|word| word.text.ends_with('=')) => {
                quote = Some(c);
                word.get_or_insert(Word { text: String::new(), quoted: true });
            }
            None => word.get_or_insert(Word { text: String::new(), quoted: false }).text.push(c),
        }
    }
    if quote.is_some() {
        return Err("a quotation mark is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

fn is_word(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

fn short(text: &str) -> String {
    let (text, _) = sanitized(text);
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.truncate(text.floor_char_boundary(MAX_DESCRIPTION));
    text
}

#[cfg(test)]
#[path = "prompts_tests.rs"]
mod tests;
