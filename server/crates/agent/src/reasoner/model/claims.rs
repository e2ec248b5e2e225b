//! Replies that only say that something is done: small models announce a call, or tell what came of it, and make none.

use crate::reasoner::{CandidateTool, Reply, TurnContext};

/// A request that a tool is as likely for as this is seldom answered without one.
const LIKELY: f64 = 0.45;

/// As many letters of a tool's name and of a word of the reply are alike where the word is about it.
const STEM: usize = 6;

/// What the model is told of such a reply.
pub(in crate::reasoner) const TOLD: &str = "Your last reply says that something was done or will be done, but no tool was called, so \
     nothing has happened. Call the tool now. If none is needed, reply without saying that you did or will do something.";

/// What the user is told if the model claims it to the end.
const NOTE: &str = "*(No tool was used for this reply: nothing was looked up or changed.)*";

/// How a sentence begins that says what its speaker does.
const ANNOUNCES: [&str; 6] = ["i will", "i'll", "i am", "i'm", "let me", "let's"];
/// How one begins that says what its speaker did.
const REPORTS: [&str; 2] = ["i have", "i've"];
/// What was done, where it does not end in `ed`.
const PAST: [&str; 7] = ["ran", "read", "wrote", "found", "made", "did", "got"];
/// The mark of a tool's result, which only a prompt has.
pub(in crate::reasoner) const RESULT: &str = "<result-";
/// How a reply speaks of a tool, also of one that there is not.
const NAMES_ONE: [&str; 4] = ["` function", "` tool", "function `", "tool `"];
/// How one says it that does not name the speaker.
const PASSIVE: [&str; 3] = [" has been ", " have been ", " was successfully "];
/// What a request has in it that asks what was done before.
const OF_BEFORE: [&str; 5] = ["did you", "have you", "you did", "you used", "you just"];
/// Within so many words of the beginning, these say the contrary.
const DENIALS: [&str; 9] = ["not", "no", "cannot", "can't", "unable", "need", "sorry", "afraid", "happy"];
const NEAR: usize = 4;

/// Whether a reply without calls only claims one; `offered` are the tools that it could have called.
pub(in crate::reasoner) fn claims_a_call(context: &TurnContext<'_>, text: &str, offered: &[CandidateTool]) -> bool {
    let reports = !context.view.operations.is_empty() && asks_of_before(context.request());
    says_that_it_calls(text, offered, reports)
}

/// A reply without calls, with a note for the user if it still claims one.
pub(in crate::reasoner) fn noted(context: &TurnContext<'_>, reply: Reply, offered: &[CandidateTool]) -> Reply {
    if !claims_a_call(context, &reply.text, offered) {
        return reply;
    }
    let note = format!("\n\n{NOTE}");
    context.reply.text(&note);
    Reply { text: reply.text + &note, complete: false }
}

/// Whether a request asks what was done before: what a reply then reports need not have happened in its own turn.
fn asks_of_before(request: &str) -> bool {
    let request = request.to_lowercase();
    OF_BEFORE.iter().any(|words| request.contains(words))
}

/// Whether a reply says that a tool is used now, or, unless `reports` are what was asked for, that one was.
fn says_that_it_calls(text: &str, offered: &[CandidateTool], reports: bool) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    if text.contains(RESULT) || is_only_tags(&text) {
        return true;
    }
    let is_named = |CandidateTool { definition, .. }: &CandidateTool| {
        let name = &definition.name;
        text.contains(&format!("`{name}`")) || name.contains('_') && text.contains(name.as_str())
    };
    // "I'll calculate" is about `calculator`, however unlikely the search found it.
    let alludes = |CandidateTool { definition, .. }: &CandidateTool| {
        let mut parts = definition.name.split('_').filter_map(|part| part.get(..STEM));
        parts.any(|stem| text.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(stem)))
    };
    let names_one = NAMES_ONE.iter().any(|words| text.contains(words));
    if !names_one && !offered.iter().any(|tool| tool.confidence >= LIKELY || is_named(tool) || alludes(tool)) {
        return false;
    }
    text.split(['.', '!', '?', '\n', ':', ',']).map(str::trim).any(|sentence| says_so(sentence, reports))
}

/// Whether there is nothing in it but the marks that stand around calls, such as `<tools></tools>`.
fn is_only_tags(text: &str) -> bool {
    let outside = text.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, after)| after));
    text.trim_start().starts_with('<') && outside.collect::<String>().trim().is_empty()
}

fn says_so(sentence: &str, reports: bool) -> bool {
    let begins = |beginning: &&str| sentence.strip_prefix(*beginning).is_some_and(|rest| rest.starts_with(' '));
    let denies = |sentence: &str| {
        sentence.split_whitespace().take(NEAR).any(|word| DENIALS.contains(&word) || word.ends_with("n't"))
    };
    let acted = |word: &str| word.ends_with("ed") || PAST.contains(&word);
    let acted = sentence.strip_prefix("i ").and_then(|rest| rest.split_whitespace().next()).is_some_and(acted);
    let announces = ANNOUNCES.iter().any(begins) && !denies(sentence);
    let reported = (acted || REPORTS.iter().any(begins)) && !denies(sentence)
        || PASSIVE.iter().any(|passive| sentence.contains(passive) && !sentence.contains(" not "));
    announces || !reports && reported
}

#[cfg(test)]
mod tests {
    use switchboard_protocol::Risk;
    use switchboard_search::Likeness;
    use switchboard_tools::test_support::spec;

    use super::*;

    fn tool(confidence: f64) -> [CandidateTool; 1] {
        let definition = spec("file_read", Risk::Read).definition.into();
        [CandidateTool { definition, confidence, likeness: Likeness::default(), reasons: Vec::new(), of_part: false }]
    }

    #[test]
    fn announcements_and_reports_are_claims() {
        for text in [
            "Sure! I'll read the file for you.",
            "I will now list the folder",
            "Okay, let me check that.",
            "I have created the file hello.txt.",
            "I’ve updated the port.",
            "The file hello.txt has been created.",
            "To find out the operating system, I ran the command `uname -s`. The output was `Linux`.",
        ] {
            assert!(says_that_it_calls(text, &tool(0.6), false), "{text}");
        }
        assert!(says_that_it_calls("I'll use file_read for that.", &tool(0.0), false), "it names a tool");
        assert!(says_that_it_calls("I used the `file_read` function.", &tool(0.0), false), "it names a tool");
        let unlikely =
            [CandidateTool { definition: spec("calculator", Risk::Read).definition.into(), ..tool(0.1)[0].clone() }];
        assert!(says_that_it_calls("I'll calculate the product using Python.", &unlikely, false), "it is its work");
        let made_up = "To find the product of 1234 and 5678, I called the `multiply` function with the arguments `1234` and `5678`.";
        assert!(says_that_it_calls(made_up, &tool(0.0), false), "it names a tool that there is not");
        assert!(
            says_that_it_calls("<result-1a2b3c4d> {\"files\": []} </result-1a2b3c4d>", &tool(0.0), false)
                && says_that_it_calls("<tools>\n</tools>", &tool(0.0), false)
                && !says_that_it_calls("<b>Paris</b>", &tool(0.0), false),
            "it makes up a result"
        );
    }

    #[test]
    fn answers_and_refusals_are_not() {
        for text in [
            "Paris.",
            "I cannot read files of other people.",
            "I have no tool for that.",
            "I'm sorry, which file do you mean?",
            "I'm happy to help. Which file?",
            "I will need the name of the file.",
            "I need the name of the file.",
            "The file has not been found.",
        ] {
            assert!(!says_that_it_calls(text, &tool(0.6), false), "{text}");
        }
        assert!(!says_that_it_calls("I'll be brief: Paris.", &tool(0.3), false), "no tool is likely");
        assert!(!says_that_it_calls("The `print` function writes to standard output.", &tool(0.0), false));
    }

    #[test]
    fn who_asks_what_was_done_is_told_it() {
        for request in ["Which tool did you use for that?", "What have you done?", "Tell me what you just did"] {
            assert!(asks_of_before(request), "{request}");
        }
        assert!(!asks_of_before("Read the file notes.txt"));
        for report in ["I used file_read.", "I've read the file.", "The file has been read with file_read."] {
            assert!(!says_that_it_calls(report, &tool(0.6), true), "{report}");
        }
        assert!(says_that_it_calls("I'll read it again.", &tool(0.6), true));
    }
}
