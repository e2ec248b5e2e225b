//! The log: what happened in each session, in order, durably.
//!
//! An event is `seq`, `at`, the exact `frame` that clients get, and `private`, which only the server sees. Those that are written
//! together are one record, which has the same bytes in every store. A session's state follows from its log; nothing else is
//! stored.

mod changes;
mod content;
mod error;
mod event;
mod files;
mod fork;
mod log;
mod memory;
mod payload;
mod picture;
mod record;
mod recorder;
mod search;
#[cfg(any(test, feature = "test_support"))]
pub mod test_support;
mod value;
mod values;

pub use changes::{SessionChange, SessionChanges};
pub use content::{Content, Part};
pub use error::LogError;
pub use event::{NewEvent, StoredEvent};
pub use files::{ChangingCall, CheckpointRecord, FileBefore, FileChange, FileHistory, FileImage, FileSeen};
pub use fork::{ForkRecord, MAX_VERSIONS, MessageVersion};
pub use log::{
    Append, Committed, EncodedEvent, EventLog, ListPage, LogRoom, Ownership, RemoteServer, Retention, ServerId,
    SessionIndex, SessionLog, SessionRow,
};
pub use memory::MemoryLog;
pub use payload::{
    AskedCall, CallRecord, ChatMessage, ChatRole, Grant, InsideChange, InsideRecord, ReplyPart, RuleRecord, ServerOnly,
    ToolCall,
};
pub use picture::{LoadedPicture, NOT_SEEN, Picture, PictureFormat};
pub use record::{EventTexts, RawEvent, Record, RecordDamage, RecordNotes, RecordWriter};
pub use recorder::{Receipt, RecordError, Recorder};
pub use search::{ConversationSearch, FoundPlace, FoundSession, SaidBy, SearchResult, TextPiece};
pub use value::{ArtifactValue, BLOB_THRESHOLD, Blob, BlobHash, MAX_VALUE_BYTES, StoredValue, ValueKind};
pub use values::Values;
