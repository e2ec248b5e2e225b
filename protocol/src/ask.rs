//! What a user is asked, and what may be answered: an answer in closed words can be checked where it is read.

use serde_json::Value;

words! {
    /// What a user may answer to an `approval-request`.
    pub enum ApprovalAnswer {
        /// This call only.
        AllowOnce,
        /// This call and every like it in this session.
        AllowSession,
        /// Not this call.
        Deny,
    }
}

impl From<ApprovalAnswer> for Decision {
    fn from(answer: ApprovalAnswer) -> Self {
        match answer {
            ApprovalAnswer::AllowOnce => Self::AllowOnce,
            ApprovalAnswer::AllowSession => Self::AllowSession,
            ApprovalAnswer::Deny => Self::Deny,
        }
    }
}

words! {
    /// The answer to an approval.
    pub enum Decision {
        /// This call only.
        AllowOnce,
        /// This call and every like it in this session.
        AllowSession,
        /// Not this call.
        Deny,
        /// Nobody answered in time.
        Expired,
        /// The turn ended first.
        Cancelled,
    }
}

words! {
    /// What a question to the user is about.
    pub enum QueryKind {
        /// The agent asks.
        Query,
        /// The outcome of a call is unknown.
        Outcome,
        /// A tool server asks.
        Elicitation,
    }
}

wire! {
    /// One answer to choose.
    pub struct Choice {
        /// What is sent as the answer.
        pub value: Value,
        /// What the user reads.
        pub label: String,
    }
}
