//! What belongs to the user's messages: they enter the conversation with the names of their variables, and with those of
//! them that are pictures, which a model that sees is shown and any other is told of in words.

use switchboard_protocol::Attachment;

use super::host::{TurnHost, UserMessage};
use switchboard_context::ContextManager;
use switchboard_events::{
    ArtifactValue, Blob, ChatMessage, ChatRole, Content, LoadedPicture, RecordError, StoredValue,
};

/// Messages as they enter the conversation, with the pictures that the log does not have yet.
pub(super) struct Attached {
    pub(super) messages: Vec<ChatMessage>,
    pub(super) blobs: Vec<Blob>,
}

impl Attached {
    /// These messages of the user.
    pub(super) async fn to(taken: &[UserMessage], host: &dyn TurnHost) -> Result<Self, RecordError> {
        let mut attached = Self { messages: Vec::new(), blobs: Vec::new() };
        for message in taken {
            let mut content = Content::from(message.with_attachments());
            if !message.attachments.is_empty() {
                let context = &host.view().await?.context;
                for attachment in &message.attachments {
                    attached.show(&mut content, attachment, context, host).await;
                }
            }
            attached.messages.push(ChatMessage::new(ChatRole::User, content));
        }
        Ok(attached)
    }

    /// Adds it to what is said, if it is a picture that can be shown.
    async fn show(
        &mut self,
        content: &mut Content,
        attachment: &Attachment,
        context: &ContextManager,
        host: &dyn TurnHost,
    ) {
        let Some(stored) = value_of(attachment, context) else { return };
        let value = match host.values().load(stored).await {
            Ok(value) => value,
            Err(error) => {
                let name = &attachment.name;
                return tracing::warn!(name, "what was attached cannot be shown to a model: failed to {error}");
            }
        };
        let ArtifactValue::Bytes(bytes) = value.as_ref() else { return };
        let Some(picture) = LoadedPicture::of(bytes.clone()).filter(|loaded| loaded.picture.can_be_shown()) else {
            return;
        };
        content.push_picture(picture.picture.clone());
        // A large value is in the log already.
        if !matches!(stored, StoredValue::Blob { .. }) {
            self.blobs.push(host.values().keep_picture(&picture));
        }
    }
}

/// The value of the version that was attached, if it is still in memory.
fn value_of<'c>(attachment: &Attachment, context: &'c ContextManager) -> Option<&'c StoredValue> {
    let entry = context.get(&attachment.name)?;
    if entry.variable.version == attachment.version {
        return Some(&entry.value);
    }
    let earlier = entry.earlier.iter().find(|earlier| earlier.variable.version == attachment.version)?;
    Some(&earlier.value)
}
