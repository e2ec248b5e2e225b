//! Every slash command, right and wrong.

use super::player::play;
use super::script::{Conversation, Stage, Step, get, say, says, talk};

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    let ruled = Stage { settings: "deny = [\"bash(touch *)\"]\n", ..Stage::default() };
    vec![(Stage::auto(), commands().into_iter().chain(copies()).collect()), (ruled, vec![permissions()])]
}

const NAMES: [&str; 18] = [
    "agents",
    "clear",
    "context",
    "debug",
    "export",
    "fork",
    "help",
    "history",
    "load",
    "mcp",
    "model",
    "new",
    "permissions",
    "rerun",
    "save",
    "tools",
    "try",
    "undo",
];

fn commands() -> Vec<Conversation> {
    vec![
        says(
            "command-help",
            ["/help", "/help save", "/help sav", "/help nothing", "//help", "/helpful things", "/Help"],
        ),
        talk("command-help-of-each", NAMES.map(|name| say(format!("/help {name}")))),
        says("command-tools", ["/tools", "/tools read a file", "/tools zzzz"]),
        says(
            "command-context",
            [
                "/context",
                "Store the number 42 as my_number",
                "/context",
                "/clear",
                "/context",
                "/context all",
                "/clear x",
            ],
        ),
        says("command-new", ["Store the number 42 as my_number", "/new", "What was my first request?", "/new now"]),
        says(
            "command-save-and-load",
            [
                "Store the number 1 as kept",
                "/save before",
                "Store the number 2 as kept",
                "Store the number 3 as later",
                "/load before",
                "/context",
                "/save",
                "/save a name",
                "/load nowhere",
                "/load",
            ],
        ),
        says(
            "command-history",
            ["/history", "Calculate 1 + 1", "Read confg.json", "/history", "/history 1", "/history many", "/history 0"],
        ),
        says("command-debug", ["/debug", "Calculate 1 + 1", "/debug", "/debug all"]),
        talk(
            "command-export",
            [say("Calculate 1 + 1"), say("/export"), get("/api/sessions/{session}/export"), say("/export x")],
        ),
        says("command-undo", ["/undo", "/undo 3", "/undo 0", "Write hello to new.txt", "/undo 1"]),
        says("command-model", ["/model", "/model small"]),
        says("command-agents", ["/agents", "/agents maybe reader", "/agents off raeder", "/agents off"]),
        says("command-mcp", ["/mcp", "/mcp test", "/mcp restart test"]),
        says(
            "command-try",
            [
                "/try",
                "/try grep",
                "Where does it say second in notes.txt?",
                "/try file_read",
                "/try GREP",
                "/try file_raed",
                "/try qqqq",
                "/try file_read What is in a.txt?",
            ],
        ),
        says("command-permissions-when-nothing-asks", ["/permissions", "/permissions allow bash(git status *)"]),
    ]
}

fn copies() -> Vec<Conversation> {
    let open = || Step::Attach("?session={forked}&after=0".to_owned());
    vec![
        talk(
            "command-fork",
            [
                say("Calculate 6 * 7 and call it answer"),
                say("/fork 999"),
                say("/fork here"),
                say("/fork"),
                open(),
                say("Calculate @answer + 1 and call it answer"),
            ],
        ),
        talk(
            "command-rerun",
            [
                say("/rerun"),
                say("Calculate 6 * 7 and call it answer"),
                say("Calculate @answer + 1 and call it next"),
                say("/rerun 6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11 Goodbye"),
                say("/rerun {turn} Calculate @answer + 100"),
            ],
        ),
    ]
}

fn permissions() -> Conversation {
    says(
        "command-permissions",
        [
            "/permissions",
            "/permissions allow bash(echo *)",
            "Run `echo allowed`",
            "Run `touch trace`",
            "/permissions",
            "/permissions remove 1",
            "/permissions remove 2",
            "/permissions remove 9",
            "/permissions alow bash",
            "/permissions deny",
            "/permissions deny file_raed",
            "/permissions ask bash(touch x)",
            "/permissions what",
        ],
    )
}

#[tokio::test]
async fn slash_commands_are_answered_as_recorded() {
    play(played()).await;
}
