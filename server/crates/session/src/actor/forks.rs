//! `/fork` and `/rerun`: the new session is made beside the actor, one at a time.

use std::sync::Arc;

use switchboard_protocol::{MessageId, ServerMessage, SessionId};

use super::ChatServerToolAgent;
use crate::archive::{Fork, Rerun, fork_record};
use crate::error::ImportError;
use crate::host::{Forked, WorkRequest};
use crate::refusal::Refusal;
use crate::slash::Command;
use crate::subscriber::SubscriberId;

impl ChatServerToolAgent {
    /// Makes a new session; [`Self::forked`] answers.
    pub(super) fn fork(
        &mut self,
        subscriber: SubscriberId,
        message_id: MessageId,
        command: &'static Command,
        upto: u64,
        message: Option<Rerun>,
    ) {
        if self.work.forking {
            let text = "A fork of this session is being made. Try again when it is ready.";
            return self.fork_failed(subscriber, &message_id, command, text.to_owned());
        }
        self.work.forking = true;
        let (log, owner) = (Arc::clone(&self.services.log), self.owner.clone());
        let record = fork_record(&self.state, self.id, upto, message.as_ref());
        let values = Arc::clone(&self.values);
        let fork = Fork { log, values, owner: owner.clone(), record, message };
        let (home, errand) = (Arc::clone(&self.home), self.work.errand());
        self.services.shutdown.spawn(async move {
            let runs = fork.message.is_some();
            let made = fork.make().await;
            if let (Ok(session), true) = (&made, runs)
                // Its message runs now. If not, whoever opens it next makes it run.
                && let Err(error) = home.open(&owner, *session).await
            {
                tracing::warn!(%session, "a fork is not running yet: failed to {error}");
            }
            let forked = Forked { subscriber, message_id, command, upto, made };
            errand.bring(WorkRequest::Forked(Box::new(forked))).await;
        });
    }

    /// What is sent in the new session, with what belongs to it.
    pub(super) fn attaching(
        &self,
        rerun: Option<Rerun>,
        names: Option<Vec<String>>,
        id: &MessageId,
    ) -> Result<Option<Rerun>, Refusal> {
        let Some(rerun) = rerun else { return Ok(None) };
        let attached = self.attached_instead(rerun.replaced(), names, id)?;
        Ok(Some(rerun.attaching(attached)))
    }

    /// The new session is there, or is not.
    pub(super) fn forked(&mut self, forked: Forked) {
        self.work.forking = false;
        let Forked { subscriber, message_id, command, upto, made } = forked;
        if !self.is_read_only()
            && let Err(refusal) = self.refuse_unless_open(Some(&message_id))
        {
            return self.refuse(subscriber, refusal);
        }
        match made {
            Ok(session) => {
                let said = told_of_fork(command, upto, session);
                self.answer_command(subscriber, &message_id, said);
            }
            Err(error) => self.fork_failed(subscriber, &message_id, command, why(&error)),
        }
    }

    fn fork_failed(&mut self, subscriber: SubscriberId, id: &MessageId, command: &Command, text: String) {
        let usage = Some(command.usage.to_owned());
        let said = ServerMessage::CommandError { command: command.name.to_owned(), text, usage };
        self.answer_command(subscriber, id, said);
    }
}

fn told_of_fork(command: &Command, upto: u64, session: SessionId) -> ServerMessage {
    let what = match upto {
        0 => "that starts empty".to_owned(),
        upto => format!("with everything up to event {upto}"),
    };
    ServerMessage::CommandResponse {
        command: command.name.to_owned(),
        text: format!("A new session {what}: `{session}`."),
        session_id: Some(session),
        usage: None,
    }
}

fn why(error: &ImportError) -> String {
    format!("The session could not be forked: failed to {error}.")
}
