//! Calls put together from their pieces: no id twice, an id for each, and what cannot be read kept apart.

use serde_json::{Map, Value};
use switchboard_protocol::CallId;

use super::error::LlmError;
use switchboard_events::ToolCall;

/// The largest arguments of one call.
const MAX_ARGUMENT_BYTES: usize = 1024 * 1024;

/// The most calls in one reply that are read at all; how many run is for others to say.
const MAX_CALLS: usize = 1000;

/// The longest id: what does not fit gets a new one.
const MAX_ID_BYTES: usize = 128;

/// How much of unreadable arguments is kept.
const MAX_SHOWN_BYTES: usize = 2048;

/// A call whose arguments are not a JSON object, or were cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableCall {
    /// The provider's id of the call, else a new one.
    pub id: String,
    /// The function.
    pub name: String,
    /// The beginning of the arguments as they came, at most 2 KiB.
    pub arguments: String,
    /// What is wrong with them.
    pub problem: String,
}

/// A call while it comes.
#[derive(Debug, Default)]
struct Part {
    /// The provider's number for it.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// The arguments outgrew their limit.
    too_large: bool,
}

/// The calls of one reply while they come.
#[derive(Debug, Default)]
pub(super) struct CallParts(Vec<Part>);

/// A piece of a call, as far as it says anything.
#[derive(Debug, Default)]
pub(super) struct CallPiece<'a> {
    pub(super) index: Option<u64>,
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
}

impl CallParts {
    /// Takes a piece. It belongs to the call with its number; without one to the call with its id, else to the last.
    /// A piece with a name and another id than the call with its number has begins a new call: some providers number
    /// all their calls 0.
    ///
    /// # Errors
    /// When there are more calls than anybody means.
    pub(super) fn take(&mut self, piece: &CallPiece<'_>) -> Result<(), LlmError> {
        let found = match (piece.index, piece.id) {
            (Some(index), id) => self.0.iter().rposition(|part| {
                part.index == Some(index) && (id.is_empty() || piece.name.is_empty() || part.id == id)
            }),
            (None, "") if piece.name.is_empty() => self.0.len().checked_sub(1),
            (None, "") => None,
            (None, id) => self.0.iter().rposition(|part| part.id == id),
        };
        let at = match found {
            Some(at) => at,
            None if self.0.len() == MAX_CALLS => {
                return Err(LlmError::Malformed(format!("it has more than {MAX_CALLS} calls")));
            }
            None => {
                self.0.push(Part { index: piece.index, ..Part::default() });
                self.0.len() - 1
            }
        };
        let part = &mut self.0[at];
        if part.id.is_empty() {
            piece.id.clone_into(&mut part.id);
        }
        // A name comes whole or in pieces; some providers repeat it with each piece.
        if part.name != piece.name {
            part.name.push_str(piece.name);
        }
        part.too_large |= part.arguments.len() + piece.arguments.len() > MAX_ARGUMENT_BYTES;
        if !part.too_large {
            part.arguments.push_str(piece.arguments);
        }
        Ok(())
    }

    /// Whether a call with this number has begun.
    pub(super) fn has(&self, index: Option<u64>) -> bool {
        self.0.iter().any(|part| part.index == index)
    }

    /// Whether there is any.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The calls, and those that cannot be read. `cut_off`: the reply ended at its limit, so that the last call may not
    /// be whole, whatever it looks like.
    pub(super) fn finish(self, cut_off: bool) -> (Vec<ToolCall>, Vec<UnreadableCall>) {
        let (mut calls, mut unreadable) = (Vec::<ToolCall>::new(), Vec::new());
        let last = self.0.len();
        for (number, part) in self.0.into_iter().enumerate() {
            let is_cut = cut_off && number + 1 == last;
            let read = if is_cut {
                Err("the reply was cut off at max_tokens, possibly within this call".to_owned())
            } else {
                part.read()
            };
            let taken = |id: &str| calls.iter().any(|call| call.id.as_str() == id);
            match read {
                // The same call twice is one call.
                Ok(arguments)
                    if calls.iter().any(|call| {
                        call.id.as_str() == part.id && call.name == part.name && call.arguments == arguments
                    }) => {}
                Ok(arguments) => {
                    let id = if usable(&part.id) && !taken(&part.id) { CallId(part.id) } else { CallId::random() };
                    calls.push(ToolCall { id, name: part.name, arguments });
                }
                Err(problem) => {
                    let id = if usable(&part.id) { part.id } else { CallId::random().0 };
                    let arguments = beginning(&part.arguments, MAX_SHOWN_BYTES).to_owned();
                    unreadable.push(UnreadableCall { id, name: part.name, arguments, problem });
                }
            }
        }
        (calls, unreadable)
    }
}

impl Part {
    fn read(&self) -> Result<Map<String, Value>, String> {
        if self.name.is_empty() {
            return Err("the call names no function".to_owned());
        }
        if self.too_large {
            return Err(format!("the arguments are larger than {MAX_ARGUMENT_BYTES} bytes"));
        }
        let text = self.arguments.trim();
        if text.is_empty() || text == "null" {
            return Ok(Map::new());
        }
        match serde_json::from_str(text) {
            Ok(Value::Object(arguments)) => Ok(arguments),
            // Some models write the object as text once more.
            Ok(Value::String(inner)) => {
                serde_json::from_str(&inner).map_err(|_| "the arguments are a string, not a JSON object".to_owned())
            }
            Ok(_) => Err("the arguments are JSON, but not an object".to_owned()),
            Err(error) => Err(format!("the arguments are not JSON: {error}")),
        }
    }
}

fn usable(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.chars().any(char::is_control)
}

/// The beginning of a text, whole characters.
pub(super) fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
