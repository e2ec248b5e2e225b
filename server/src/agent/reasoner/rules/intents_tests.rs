//! Claims about what clauses ask for that no request of the table shows.

use proptest::prelude::*;

use super::*;
use crate::agent::reasoner::rules::clause::split;
use crate::agent::reasoner::rules::goal::Role;

fn goals(text: &str) -> Vec<Goal> {
    let known =
        Known { variables: vec!["answer"], tools: vec!["file_read".to_owned(), "bash".to_owned()], follows: false };
    split(text).clauses.iter().flat_map(|clause| understand(clause, &known)).collect()
}

/// What would be given to the shell.
fn commands(text: &str) -> Vec<Act> {
    let acts = goals(text).into_iter().filter_map(|goal| match goal {
        Goal::Act(act) if act.skill == Skill::Run && act.given.iter().any(|(role, _)| *role == Role::Command) => {
            Some(act)
        }
        _ => None,
    });
    acts.collect()
}

#[test]
fn only_what_is_clearly_a_command_goes_to_the_shell() {
    let sentences = [
        "run",
        "run away",
        "run the tests",
        "run it",
        "execute order 66",
        "please run my script",
        "run test on all files",
        "make the file nicer",
        "ls",
        "rm -rf build",
        "use bash to clean up",
        "what does `rm -rf /` do?",
        "rnu ls",
        "time flies",
        "run \"away\" from here quickly",
        "the run was `fun`",
    ];
    for sentence in sentences {
        assert_eq!(commands(sentence), Vec::new(), "{sentence}");
    }
    for command in ["run `x`", "run ls", "$ x", "run the command: x y", "execute \"x\" in the shell"] {
        assert_eq!(commands(command).len(), 1, "{command}");
    }
}

proptest! {
    #[test]
    fn no_message_is_too_strange(text in "\\PC{0,200}") {
        goals(&text);
    }

    #[test]
    fn no_order_of_known_words_is_too_strange(words in proptest::collection::vec(
        prop_oneof![
            "(read|write|find|list|what|is|the|in|of|as|run|to|and|then|it|last|how|many|lines|first|set|call|with|for)",
            "(config.json|@answer|`x y`|\"a b\"|[0-9]{1,3}|\\*.rs|\\.db\\.host|src/|,|\\.|\\?|:|;|\\(|\\)|\\+|%|=|@|'|\\{\\}|json)",
        ],
        0..14,
    )) {
        goals(&words.join(" "));
    }
}
