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
        /// A command wants to connect to a domain.
        Network,
        /// A plan is shown: it is carried out if the answer is `yes`.
        Plan,
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

words! {
    /// What a field of a form takes.
    pub enum FieldKind {
        /// A text.
        Text,
        /// A number.
        Number,
        /// A whole number.
        Integer,
        /// The value of one of its choices.
        Choice,
        /// A list of values of its choices.
        Choices,
    }
}

wire! {
    /// One field of a form.
    pub struct FormField {
        /// Its key in the answer.
        pub name: String,
        /// What the user reads.
        pub label: String,
        /// What it is for, and what fits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hint: Option<String>,
        /// What it takes.
        pub kind: FieldKind,
        /// Whether the form needs it.
        pub required: bool,
        /// What it has in it at first, and what is taken if the answer does not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub default: Option<Value>,
        /// What there is to choose from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub choices: Option<Vec<Choice>>,
    }
}
