//! Prompts of MCP servers: a command that becomes a message. The server is asked beside the actor; its text then is taken
//! like any message, and says which prompt wrote it.

use switchboard_protocol::{MessageId, ServerMessage};

use super::ChatServerToolAgent;
use crate::host::{Prompted, WorkRequest};
use crate::message::Message;
use crate::subscriber::SubscriberId;
use switchboard_events::NewEvent;
use switchboard_mcp::Prompt;

impl ChatServerToolAgent {
    /// Asks for the prompt's text; [`Self::prompted`] goes on with it. What was answered before is answered again.
    pub(super) fn take_prompt(&mut self, subscriber: SubscriberId, message: Message, prompt: Prompt, written: &str) {
        if let Some(seq) = self.answered_by(&message.id) {
            return self.answer_from_log(subscriber, seq);
        }
        let arguments = match prompt.parse(written.trim()) {
            Ok(arguments) => arguments,
            Err(problem) => return self.prompt_error(&message.id, &prompt, format!("Not sent: {problem}.")),
        };
        let (mcp, errand) = (self.services.mcp.clone(), self.work.errand());
        self.services.shutdown.spawn(async move {
            let text = mcp.prompt_text(&prompt, arguments).await;
            let prompted = Prompted { subscriber, message, prompt, text };
            errand.bring(WorkRequest::Prompted(Box::new(prompted))).await;
        });
    }

    /// The prompt's text is the message.
    pub(super) fn prompted(&mut self, prompted: Prompted) {
        let Prompted { subscriber, mut message, prompt, text } = prompted;
        if let Some(seq) = self.answered_by(&message.id) {
            return self.answer_from_log(subscriber, seq);
        }
        let taken = self.refuse_unless_open(Some(&message.id)).and_then(|()| match text {
            Ok(text) => {
                message.text = text;
                message.prompt = Some(prompt.command);
                self.take_message(subscriber, message)
            }
            Err(problem) => {
                self.prompt_error(&message.id, &prompt, problem);
                Ok(())
            }
        });
        if let Err(refusal) = taken {
            self.refuse(subscriber, refusal);
        }
    }

    /// The event that took this message, or said why not.
    fn answered_by(&self, id: &MessageId) -> Option<u64> {
        let taken = self.state.messages.taken.get(id).map(|taken| taken.seq);
        taken.or_else(|| self.state.answers.get(&crate::state::command_key(id)).copied())
    }

    fn prompt_error(&mut self, id: &MessageId, prompt: &Prompt, text: String) {
        let usage = Some(prompt.usage());
        let message = ServerMessage::CommandError { command: prompt.command.clone(), text, usage };
        self.append_urgent(NewEvent::of_turn(id, message));
    }
}
