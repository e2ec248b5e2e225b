//! What a plan's steps came to, as the operations that make replies see it.

use jiff::Zoned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::slots::{Slots, text_of};
use switchboard_agent::TurnView;
use switchboard_events::{ArtifactValue, LoadedPicture, NOT_SEEN};
use switchboard_protocol::CallId;

/// The value of a plan whose request asks whether something is so.
pub(crate) const WHETHER: &str = "whether";

/// Makes a reply; what it lacks instead, as a sentence.
pub(crate) type Reply = fn(&Done<'_>) -> Result<String, String>;

/// A step that was done.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Stepped {
    /// The call; none of a value that was there.
    pub(crate) call: Option<CallId>,
    /// The tool; empty for a value that was there.
    pub(crate) tool: String,
    /// What it was called with.
    pub(crate) arguments: Map<String, Value>,
    #[serde(skip)]
    pub(crate) value: Option<ArtifactValue>,
    /// What the tool shows.
    pub(crate) view: String,
    /// The variable that holds the value.
    pub(crate) variable: Option<String>,
    /// Whether the user has changed the call before it ran.
    pub(crate) edited: bool,
    /// The exit code of a command that failed.
    pub(crate) failed: bool,
}

impl Stepped {
    /// The texts of some arguments.
    pub(crate) fn given(&self, names: &[&str]) -> Vec<&str> {
        Slots::of(&self.arguments).first_texts(names)
    }

    /// A reference to what it gave: of a command, to its output.
    pub(crate) fn as_reference(&self) -> Option<String> {
        let name = self.variable.as_ref()?;
        Some(if self.arguments.contains_key("command") { format!("@{name}.output") } else { format!("@{name}") })
    }

    /// Whether the tool has a view of its own for the value.
    pub(crate) fn is_shown(&self) -> bool {
        let view = self.view.trim();
        !view.is_empty() && !view.starts_with(['{', '['])
    }

    /// Whether its value lists files.
    pub(crate) fn is_listing(&self) -> bool {
        let Some(ArtifactValue::Json(Value::Array(items))) = &self.value else { return false };
        !self.tool.is_empty()
            && items.iter().all(|item| item.is_string() || item.get("name").is_some() && item.get("type").is_some())
    }

    /// Whether there is more than the value has.
    pub(crate) fn is_capped(&self) -> bool {
        self.view.lines().next().is_some_and(|line| line.contains(" of more") || line.contains("there are more"))
            || self.view.lines().next_back().is_some_and(|line| line.contains("there are more"))
    }
}

/// A plan whose steps are done.
pub(crate) struct Done<'d> {
    pub(crate) slots: Slots<'d>,
    pub(crate) steps: &'d [Stepped],
    pub(crate) now: &'d Zoned,
    pub(crate) view: &'d TurnView,
}

impl Done<'_> {
    pub(crate) fn last(&self) -> Result<&Stepped, String> {
        self.steps.last().ok_or_else(|| "There is nothing to look at yet.".to_owned())
    }

    pub(crate) fn value(&self) -> Result<ArtifactValue, String> {
        let last = self.last()?;
        last.value.clone().ok_or_else(|| format!("`{}` gave no value.", last.tool))
    }

    /// That nothing was found. It answers a question whether there is any, and one for words in quotation marks; else it
    /// rather shows that something else was meant.
    pub(super) fn nothing(&self, told: String) -> Result<String, String> {
        let quoted = ["text", "pattern", "key"].iter().any(|slot| self.slots.is_quoted(slot));
        if quoted || self.slots.flag(WHETHER) { Ok(told) } else { Err(told) }
    }

    /// The value as one text.
    pub(crate) fn text(&self) -> Result<String, String> {
        match self.texts()?.as_slice() {
            [(_, text)] => Ok(text.clone()),
            several => Err(format!("These are {} files; name one.", several.len())),
        }
    }

    /// The files that were read, each with its text; or the value as one.
    pub(crate) fn texts(&self) -> Result<Vec<(String, String)>, String> {
        let last = self.last()?;
        let paths = last.given(&["file_paths", "paths", "path", "file_path", "filePath"]);
        if let (Some(ArtifactValue::Json(Value::Object(files))), true) = (&last.value, paths.len() > 1) {
            let texts = files.iter().filter_map(|(path, text)| Some((path.clone(), text.as_str()?.to_owned())));
            return Ok(texts.collect());
        }
        let value = self.value()?;
        let text = text_of(&value).ok_or_else(|| self.not_text(&value))?;
        let name = paths.first().filter(|path| !path.starts_with('@')).map(|path| (*path).to_owned());
        Ok(vec![(name.or_else(|| last.variable.clone()).unwrap_or_else(|| "the value".to_owned()), text)])
    }

    /// What it is instead.
    fn not_text(&self, value: &ArtifactValue) -> String {
        let picture = match value {
            ArtifactValue::Bytes(bytes) => LoadedPicture::of(bytes.clone()),
            ArtifactValue::Text(_) | ArtifactValue::Json(_) => None,
        };
        match picture {
            Some(shown) => format!("{} is a {}. {NOT_SEEN}", self.label(), shown.picture),
            None => format!("{} is not text.", self.label()),
        }
    }

    /// The value as JSON, also if it is JSON's text.
    pub(crate) fn json(&self) -> Result<Value, String> {
        match self.value()? {
            ArtifactValue::Json(json) => match json.get("output").filter(|_| json.get("return_code").is_some()) {
                Some(Value::String(output)) => serde_json::from_str(output).map_err(|error| error.to_string()),
                _ => Ok(json),
            },
            ArtifactValue::Text(text) => {
                serde_json::from_str(&text).map_err(|error| format!("{} is not JSON: {error}.", self.label()))
            }
            ArtifactValue::Bytes(_) => Err(format!("{} is not JSON.", self.label())),
        }
    }

    /// What people call what was looked at.
    pub(crate) fn label(&self) -> String {
        let Some(last) = self.steps.last() else { return "this".to_owned() };
        let paths = last.given(&["file_paths", "paths", "path", "file_path", "filePath"]);
        match paths.as_slice() {
            ["."] => "the workspace".to_owned(),
            [path] if !path.starts_with('@') => format!("`{path}`"),
            [_, _, ..] => "the files".to_owned(),
            // A page is called by its heading.
            _ if last.arguments.contains_key("url") => last.view.lines().next().unwrap_or("the page").to_owned(),
            _ => match (last.arguments.get("pattern"), &last.variable) {
                (Some(Value::String(pattern)), _) if last.is_listing() => format!("what matches `{pattern}`"),
                (_, Some(name)) if last.tool.is_empty() => format!("`{name}`"),
                _ if last.is_listing() => "the workspace".to_owned(),
                _ => "the result".to_owned(),
            },
        }
    }
}
