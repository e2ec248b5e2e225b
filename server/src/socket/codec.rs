//! Text of a client → [`ClientFrame`]: strict JSON, the shape of a frame, then the type itself. Nothing here panics,
//! whatever the text is.

use switchboard_protocol::ClientFrame;

use super::{shape, strict};
use switchboard_session::Refusal;

/// Reads a frame.
///
/// # Errors
/// The refusal to be sent to the client.
pub fn decode(text: &str) -> Result<ClientFrame, Refusal> {
    let mut value = strict::parse(text).map_err(|error| bad_json(&error))?;
    shape::check(&mut value)?;
    serde_json::from_value(value).map_err(|error| {
        let refusal = Refusal::new("protocol-wrong-field", format!("The frame cannot be read: {error}."));
        refusal.suggesting("Compare it with the examples in protocol/fixtures.")
    })
}

/// What a client hears that sends bytes.
pub(super) fn binary() -> Refusal {
    Refusal::new("protocol-binary", "Frames are text, but this one is binary. It was not read.")
        .suggesting("Send JSON as a text frame.")
}

fn bad_json(error: &serde_json::Error) -> Refusal {
    let refusal = Refusal::new("protocol-bad-json", format!("This is not the JSON of a frame: {error}."));
    refusal.suggesting("Send one JSON object per text frame, with each key once.")
}

#[cfg(test)]
#[path = "codec_tests.rs"]
mod tests;
