//! JSON Schema (2020-12) of the frames and an AsyncAPI document of the socket, made from the types themselves, so
//! that they cannot say anything else.

mod asyncapi;
mod frames;

pub use asyncapi::asyncapi;
pub use frames::{all, client_frame, generator, server_frame};
