//! Orders that were not carried out: the request says what is to be changed and where, and only tools have run that read, or
//! which variable it wants, and there is none. Small models say that it is done all the same.

use std::collections::BTreeSet;
use std::fmt;

use switchboard_protocol::Risk;

use crate::reasoner::TurnContext;

/// How an order begins, and how a reply says that it was carried out.
const ORDERS: [(&str, &[&str]); 16] = [
    ("write", &["written", "wrote"]),
    ("save", &["saved"]),
    ("send", &["sent"]),
    ("create", &["created"]),
    ("delete", &["deleted"]),
    ("remove", &["removed"]),
    ("rename", &["renamed"]),
    ("move", &["moved"]),
    ("copy", &["copied"]),
    ("append", &["appended"]),
    ("add", &["added"]),
    ("replace", &["replaced"]),
    ("update", &["updated"]),
    ("change", &["changed"]),
    ("edit", &["edited"]),
    ("put", &["put"]),
];
/// What stands before the place of a change.
const BEFORE_A_PLACE: [&str; 11] = ["to", "into", "in", "as", "at", "file", "called", "named", "via", "by", "through"];
/// Where mail goes.
const MAIL: [&str; 3] = ["email", "e-mail", "mail"];
/// How a value gets a name.
const STORES: [&str; 2] = ["store", "remember"];
/// What stands before an order in a sentence.
const BEFORE_AN_ORDER: [&str; 4] = ["and", "then", "please", "now"];
/// A sentence with one of these says that something was not done.
const DENIALS: [&str; 8] = ["not", "no", "nothing", "none", "never", "cannot", "unable", "without"];

/// What a request orders and no call can have done.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::reasoner) enum Undone {
    /// A change in a file or by mail: only these tools ran, as the beginning of a sentence.
    Change(String),
    /// A variable of this name.
    Variable(String),
}

impl fmt::Display for Undone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Change(only) => write!(f, "{only}: nothing was written, sent or changed."),
            Self::Variable(name) => write!(f, "There is no variable @{name}: nothing was stored under that name."),
        }
    }
}

impl Undone {
    /// Whether a reply says that it was done all the same.
    pub(in crate::reasoner) fn is_claimed(&self, request: &str, reply: &str) -> bool {
        match self {
            Self::Change(_) => says_that_it_changed(request, reply),
            Self::Variable(name) => sentences(&reply.to_lowercase().replace('’', "'"))
                .any(|sentence| sentence.contains(&name.to_lowercase()) && !words_of(sentence).any(denies)),
        }
    }
}

/// What the request orders and this turn has not done, if that is certain.
pub(in crate::reasoner) fn undone(context: &TurnContext<'_>) -> Option<Undone> {
    // One that a call has spoken of may have been there and be gone.
    let spoken_of = |name: &str| {
        let arguments = context.attempts.iter().flat_map(|attempt| attempt.arguments.values());
        arguments.filter_map(serde_json::Value::as_str).any(|text| text.contains(name))
    };
    let is_missing = |name: &String| context.view.context.get(name).is_none() && !spoken_of(name);
    let unstored = || ordered_variable(context.request()).filter(is_missing);
    only_read(context).map(Undone::Change).or_else(|| unstored().map(Undone::Variable))
}

/// The variable that a request orders: "store its port as my_port". A name that could be a word is none, and neither is one that
/// stands for a place in something else.
fn ordered_variable(request: &str) -> Option<String> {
    let clauses = request.split([',', ';', '.', '\n']).flat_map(|clause| clause.split(" and "));
    clauses.flat_map(|clause| clause.split(" then ")).find_map(|clause| {
        let words: Vec<&str> = clause.split_whitespace().skip_while(|word| BEFORE_AN_ORDER.contains(word)).collect();
        let stores = words.first().is_some_and(|word| STORES.contains(&word.to_lowercase().as_str()));
        let [.., by, name] = words.as_slice() else { return None };
        let name = name.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let is_name = name.contains('_') && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let begins = !name.starts_with(|c: char| c.is_ascii_digit());
        (stores && *by == "as" && is_name && begins).then(|| name.to_owned())
    })
}

/// What ran in this turn, as the beginning of a sentence, if the request orders a change and nothing can have made it.
fn only_read(context: &TurnContext<'_>) -> Option<String> {
    let calls = || context.attempts.iter().map(|one| (one.tool.as_str(), one.outcome.result.is_success()));
    let reads = |tool: &str| context.registry.get(tool).is_some_and(|tool| tool.spec().definition.risk == Risk::Read);
    // One that failed may have changed something before it did.
    if !calls().all(|(tool, _)| reads(tool)) || !orders_a_change(context.request()) {
        return None;
    }
    let worked: BTreeSet<String> =
        calls().filter(|(_, success)| *success).map(|(tool, _)| format!("`{tool}`")).collect();
    let worked = Vec::from_iter(worked).join(", ");
    (!worked.is_empty()).then(|| format!("Only {worked} ran in this turn"))
}

/// Whether a request says "write it to answer.txt" or "… and send it via email": an order, and the place of the change. Without
/// a place it may be a text, a sum or a variable that is wanted.
fn orders_a_change(request: &str) -> bool {
    let request = request.to_lowercase();
    let words: Vec<&str> = request.split_whitespace().collect();
    let is_order = |at: usize| {
        let begins =
            at == 0 || words[at - 1].ends_with([',', ';', '.', ':']) || BEFORE_AN_ORDER.contains(&words[at - 1]);
        begins && ORDERS.iter().any(|(order, _)| *order == words[at])
    };
    (0..words.len()).filter(|at| is_order(*at)).any(|order| {
        (order + 1..words.len())
            .any(|at| is_place(words[at]) && (at == order + 1 || BEFORE_A_PLACE.contains(&words[at - 1])))
    })
}

/// Whether a word is a file's path, an address, or mail.
fn is_place(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let has_ending = word.rsplit_once('.').is_some_and(|(name, ending)| {
        let is_short = (1..=5).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphanumeric());
        !name.is_empty() && is_short && ending.chars().any(|c| c.is_ascii_alphabetic())
    });
    has_ending || word.contains('/') || MAIL.contains(&word)
}

/// Whether a reply says that what the request orders was done. Of a variable it may say so.
fn says_that_it_changed(request: &str, reply: &str) -> bool {
    let (request, reply) = (request.to_lowercase(), reply.to_lowercase().replace('’', "'"));
    let ordered: Vec<&str> = ORDERS
        .iter()
        .filter(|(order, _)| request.split_whitespace().any(|word| word == *order))
        .flat_map(|(_, done)| done.iter().copied())
        .collect();
    sentences(&reply).any(|sentence| {
        let denies = |word: &str| denies(word) || word == "variable" || word.starts_with('@');
        words_of(sentence).any(|word| ordered.contains(&word)) && !words_of(sentence).any(denies)
    })
}

/// The sentences of a reply that are no questions.
fn sentences(reply: &str) -> impl Iterator<Item = &str> {
    let pieces = reply.split_inclusive(['?', '!', '\n', ';']).filter(|piece| !piece.ends_with('?'));
    pieces.flat_map(|piece| piece.split(". "))
}

fn words_of(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split(|c: char| !c.is_alphanumeric() && !"@'_".contains(c)).filter(|word| !word.is_empty())
}

fn denies(word: &str) -> bool {
    DENIALS.contains(&word) || word.ends_with("n't")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_told_from_questions_sums_and_texts() {
        for order in [
            "Write 42 to a.txt",
            "Calculate 6 * 7 and write it to answer.txt",
            "Read it, then, please save it as `out/new.md`",
            "Get weather for New York and send it via email",
            "Read in.txt, then save that to out.txt, then list the files",
            "Find the oldest log and delete logs/old.log",
        ] {
            assert!(orders_a_change(order), "{order}");
        }
        for other in [
            "Show me how to write a test to a.txt",
            "What did the last commit change in a.txt?",
            "Add 17 and 25",
            "Read notes.txt and write a summary",
            "Write a haiku about notes.txt",
            "Create a table of sales by month from sales.csv",
            "Read config.json and save it as config",
            "Read config.json and tell me the port",
        ] {
            assert!(!orders_a_change(other), "{other}");
        }
    }

    #[test]
    fn a_change_that_is_only_said_is_seen() {
        let write = "Calculate 6 * 7 and write it to answer.txt";
        for (request, reply) in [
            (write, "The result is written to answer.txt."),
            ("Read in.txt, then save that to out.txt", "The content is `payload` and it is saved to `out.txt`."),
            ("Get the weather and send it via email", "Email sent to ann@example.org with the weather."),
        ] {
            assert!(says_that_it_changed(request, reply), "{reply}");
        }
        for reply in [
            "It is 42.",
            "It is 42. Nothing was written.",
            "It is 42. No file was written: no tool ran for it.",
            "It hasn’t been written yet.",
            "It is 42. Should it be written to answer.txt?",
            "It is written into the variable @answer.",
        ] {
            assert!(!says_that_it_changed(write, reply), "{reply}");
        }
    }

    #[test]
    fn a_variable_that_is_not_there_is_claimed_or_denied() {
        let missing = Undone::Variable("my_port".to_owned());
        assert!(missing.is_claimed("", "I stored it as `my_port`."));
        assert!(missing.is_claimed("", "my_port = 3000"));
        for honest in
            ["It is 3000.", "There is no variable my_port.", "I could not store it as `my_port`.", "Is it my_port?"]
        {
            assert!(!missing.is_claimed("", honest), "{honest}");
        }
    }

    #[test]
    fn the_name_that_a_value_is_to_get_is_seen() {
        for (request, name) in [
            ("Read config.json and store its port as my_port", Some("my_port")),
            ("Remember the number 42 as `the_answer`.", Some("the_answer")),
            ("Calculate 6 * 7, then store the result as the_answer", Some("the_answer")),
            ("Read config.json and store it as config", None),
            ("Export the chart and save it as sales_chart", None),
            ("Store the port as server_port in config.json", None),
            ("Keep the API but import load_data as load_rows", None),
            ("Create a git branch and call it fix_login", None),
            ("Don't store it as my_var", None),
            ("What is a_value as b_value?", None),
        ] {
            assert_eq!(ordered_variable(request).as_deref(), name, "{request}");
        }
    }
}
