//! Artifacts and operations as clients see them: values are fetched when wanted, only previews travel.

use serde_json::{Map, Value};

use crate::CallId;

words! {
    /// The type of an artifact's value.
    pub enum ValueType {
        /// A JSON object.
        Object,
        /// A JSON array.
        Array,
        /// A number.
        Number,
        /// true or false.
        Boolean,
        /// null.
        Null,
        /// Text.
        Text,
        /// Bytes that are not text.
        Bytes,
    }
}

wire! {
    /// Where a version of an artifact came from.
    pub struct Origin {
        /// The call that made it; absent when the user set it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub call_id: Option<CallId>,
        /// The tool that made it, or `user`.
        pub tool: String,
        /// The variables it was made from.
        pub inputs: Vec<String>,
        /// Nobody named it: its name is the tool's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub default_name: Option<bool>,
    }
}

wire! {
    /// An artifact as clients see it: the value itself is fetched when wanted.
    pub struct Variable {
        /// `[A-Za-z_][A-Za-z0-9_]{0,63}`.
        pub name: String,
        /// From 1; each new value under the name is the next version.
        pub version: u32,
        /// What kind of value it is.
        #[serde(rename = "type")]
        pub value_type: ValueType,
        /// A short form of the value.
        pub preview: String,
        /// The value's size: of the text, of the bytes, or of the JSON text.
        pub bytes: u64,
        /// Where it came from.
        pub origin: Origin,
        /// One of the variables it was made from has changed since.
        pub stale: bool,
    }
}

wire! {
    /// A variable that a message brings along.
    #[derive(Eq)]
    pub struct Attachment {
        /// The variable.
        pub name: String,
        /// Which version of it was meant.
        pub version: u32,
        /// What kind of value it is.
        #[serde(rename = "type")]
        pub value_type: ValueType,
        /// The value's size, as [`Variable::bytes`] is.
        pub bytes: u64,
    }
}

wire! {
    /// One run of a tool, for `context-state` and `/history`.
    pub struct Operation {
        /// The call.
        pub call_id: CallId,
        /// The tool.
        pub tool: String,
        /// The text of the message that asked for it; absent for the user's own calls.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub request: Option<String>,
        /// The arguments as they were given, references unresolved.
        pub inputs: Map<String, Value>,
        /// A preview of the result.
        pub outputs: String,
        /// The variable that took the result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub output_variable: Option<String>,
        /// RFC 3339.
        pub timestamp: String,
        /// Whether it worked.
        pub success: bool,
    }
}
