//! What is a command and what is a message.

use super::{Text, parse};

fn kind(text: &str) -> String {
    match parse(text, Vec::new) {
        Text::Command(command, arguments) => format!("{}({})", command.name, arguments.trim()),
        Text::Prompt(..) => "prompt".to_owned(),
        Text::Escaped => "escaped".to_owned(),
        Text::Message => "message".to_owned(),
    }
}

#[test]
fn only_a_slash_and_the_exact_name_is_a_command() {
    let found = [
        "/help",
        "/help save",
        "/history\n5 ",
        "/helpful",
        "/Help",
        " /help",
        "/",
        "//help",
        "//",
        "/usr/bin/env",
        "hi",
    ]
    .map(kind);

    let expected = [
        "help()",
        "help(save)",
        "history(5)",
        "message",
        "help(Help)",
        "message",
        "message",
        "escaped",
        "escaped",
        "message",
        "message",
    ];
    assert_eq!(found, expected);
}
