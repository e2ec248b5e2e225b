//! Replies to talk, and what the rules can do, in words.

use std::collections::BTreeMap;

use super::goal::Talk;
use switchboard_tools::ToolRegistry;

/// What the rules are, for the banner and for `who are you`.
pub(super) const ABOUT: &str = "No language model is in use: fixed rules read your request. They find the right tool by \
                                its description, fill in its parameters and chain several steps.";

/// What can be asked, with an example each.
pub(super) const EXAMPLES: &[(&str, &str)] = &[
    ("calculate", "Calculate 6 * 7 and call it answer"),
    ("read files", "Read config.json and tell me the port number"),
    ("look around", "What files are in the current directory?"),
    ("search", "Find TODO in src"),
    ("write files", "Write \"Hello, World!\" to file notes/hello.txt"),
    ("run commands", "Run `ls -la`"),
    ("tell the time", "What time is it in Tokyo?"),
    ("remember", "Remember that my favorite color is blue"),
];

/// The reply to a few words between people.
pub(super) fn reply(talk: Talk, registry: &ToolRegistry) -> String {
    match talk {
        Talk::Greeting => format!(
            "Hello! I can read, write and search files, calculate, run commands and remember things.\n\nTry: *{}* \
             (or ask what I can do).",
            EXAMPLES[1].1
        ),
        Talk::Thanks => "You are welcome.".to_owned(),
        Talk::Goodbye => "Goodbye. This conversation stays here for when you come back.".to_owned(),
        Talk::Mood => "Everything works, thank you. What can I do for you?".to_owned(),
        Talk::Acknowledgement => "All right. What shall I do next?".to_owned(),
        Talk::Identity => format!(
            "I am Switchboard, an agent that uses tools. I am not a language model: {}\n\n{}",
            "I follow fixed rules, so I understand plain requests, but not every wording, and I cannot chat.",
            abilities(registry)
        ),
        Talk::Abilities => format!("{ABOUT}\n\n{}", abilities(registry)),
    }
}

/// Tools by module, and examples.
pub(super) fn abilities(registry: &ToolRegistry) -> String {
    let mut modules = BTreeMap::<String, Vec<String>>::new();
    for tool in registry.definitions() {
        modules.entry(tool.module).or_default().push(tool.name);
    }
    let tools = modules.iter().map(|(module, names)| {
        let shown: Vec<String> = names.iter().take(12).map(|name| format!("`{name}`")).collect();
        let more = if names.len() > 12 { format!(" and {} more", names.len() - 12) } else { String::new() };
        format!("- {module}: {}{more}", shown.join(", "))
    });
    format!(
        "You can ask, for example:\n\n{}\n\nMy tools:\n\n{}",
        examples(EXAMPLES.len()),
        tools.collect::<Vec<_>>().join("\n")
    )
}

/// The first `count` examples as a list.
pub(super) fn examples(count: usize) -> String {
    EXAMPLES.iter().take(count).map(|(what, example)| format!("- {what}: *{example}*")).collect::<Vec<_>>().join("\n")
}
