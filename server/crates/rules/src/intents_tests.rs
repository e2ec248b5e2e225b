//! Claims about what clauses ask for that no request of the table shows.

use proptest::prelude::*;

use super::*;
use crate::clause::split;
use crate::goal::Role;

fn goals(text: &str) -> Vec<Goal> {
    let tools = ["file_read".to_owned(), "bash".to_owned()];
    let known = Known { is_variable: &|name| name == "answer", variables: 1, tools: &tools, follows: false };
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

/// What would be fetched or searched for.
fn web(text: &str) -> Vec<(Skill, String)> {
    let acts = goals(text).into_iter().filter_map(|goal| match goal {
        Goal::Act(act) if act.skill.is_of_the_web() => {
            let given = act.given.iter().find_map(|(_, given)| match given {
                super::super::goal::Given::Value(value) => value.as_str().map(str::to_owned),
                _ => None,
            });
            Some((act.skill, given.unwrap_or_default()))
        }
        _ => None,
    });
    acts.collect()
}

#[test]
fn pages_are_fetched_in_many_words() {
    for text in [
        "fetch https://example.org/a?b=c",
        "https://example.org/a?b=c",
        "Please summarise https://example.org/a?b=c.",
        "open https://example.org/a?b=c and call it page",
        "what does https://example.org/a?b=c say?",
        "What's on https://example.org/a?b=c?",
        "could you download the page at https://example.org/a?b=c",
    ] {
        assert_eq!(web(text), [(Skill::Fetch, "https://example.org/a?b=c".to_owned())], "{text}");
    }
    let two = web("fetch http://a.example/ and http://b.example/");
    assert_eq!(two.iter().map(|(_, url)| url.as_str()).collect::<Vec<_>>(), ["http://a.example/", "http://b.example/"]);
    for text in ["run `curl https://example.org`", "remember that my page is https://example.org", "fetch a.txt"] {
        assert_eq!(web(text), [], "{text}");
    }
}

#[test]
fn the_web_is_searched_in_many_words() {
    for text in [
        "search the web for rust async book",
        "Search the internet for rust async book.",
        "web search for rust async book",
        "do a web search for rust async book",
        "google rust async book",
        "look up rust async book online",
        "search online for rust async book",
        "find rust async book on the web",
        "search for rust async book on the internet, please",
        "search the web for \"rust async book\"",
    ] {
        assert_eq!(web(text), [(Skill::Search, "rust async book".to_owned())], "{text}");
    }
    for text in ["search for TODO in src", "find online.txt", "search notes.txt for web", "what is the web?"] {
        assert_eq!(web(text), [], "{text}");
    }
}
