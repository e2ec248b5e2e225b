//! What a client may not do that only chats: the answers, calls and commands that change what other sessions share, what
//! runs without asking, or what runs by the client's word alone.

use switchboard_accounts::Rights;
use switchboard_protocol::{ApprovalAnswer, CallId, ClientFrame, MessageId, QueryId, QueryKind, Risk};

use super::ChatServerToolAgent;
use crate::refusal::Refusal;
use crate::slash;

impl ChatServerToolAgent {
    pub(super) fn refuse_unless_entitled(&self, rights: Rights, frame: &ClientFrame) -> Result<(), Refusal> {
        if rights == Rights::All {
            return Ok(());
        }
        match frame {
            ClientFrame::CallTool { .. } => Err(refusal("call tools by itself", None)),
            ClientFrame::ApproveTool { call_id, decision, .. } => self.may_answer(call_id, *decision),
            ClientFrame::AnswerQuery { query_id, .. } => self.may_settle(query_id),
            ClientFrame::SendMessage { text, message_id, .. } => match slash::beyond_chat(text) {
                Some(what) => Err(refusal(what, message_id.clone())),
                None => Ok(()),
            },
            ClientFrame::Cancel { .. }
            | ClientFrame::GetContext {}
            | ClientFrame::ClearContext {}
            | ClientFrame::SetVariable { .. }
            | ClientFrame::RenameVariable { .. }
            | ClientFrame::DeleteVariable { .. }
            | ClientFrame::SetTitle { .. }
            | ClientFrame::WindowClosed { .. }
            | ClientFrame::Ping {} => Ok(()),
        }
    }

    /// Writing within the workspace may be allowed, once; a rule for the session may not be made.
    fn may_answer(&self, call_id: &CallId, decision: ApprovalAnswer) -> Result<(), Refusal> {
        match self.questions.approvals.get(call_id) {
            Some(ask) if matches!(ask.risk, Risk::Execute | Risk::Network) => {
                Err(refusal("answer for calls that run programs or reach the network", None))
            }
            Some(_) if decision == ApprovalAnswer::AllowSession => {
                Err(refusal("allow anything for the whole session", None))
            }
            // One that is not there is told by whoever looks for it.
            _ => Ok(()),
        }
    }

    /// The answer to what became of a call that was cut off may run it again, and one about a domain lets a command reach it.
    fn may_settle(&self, query_id: &QueryId) -> Result<(), Refusal> {
        if self.questions.outcomes.contains_key(query_id) {
            return Err(refusal("decide about a call that was cut off", None));
        }
        match self.questions.queries.get(query_id) {
            Some(asked) if asked.kind == QueryKind::Network => {
                Err(refusal("answer for programs that reach the network", None))
            }
            _ => Ok(()),
        }
    }
}

fn refusal(what: &str, about: Option<MessageId>) -> Refusal {
    Refusal::new("not-allowed", format!("This client only chats (chat-token), so it cannot {what}."))
        .suggesting("Use the server's own token (auth-token) for this.")
        .about(about)
}
