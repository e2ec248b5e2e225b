//! What rules say of calls, and which rules are errors.

use serde_json::{Map, Value, json};
use switchboard_protocol::ToolDefinition;

use std::sync::Arc;

use switchboard_tools::test_support::workspace;
use switchboard_tools::{ApproveMode, CallTraits, Effect, Policy, Rule, RuleSet, RuleSource, Ruling, Tool, Verdict};

use crate::{ShellConfig, WebConfig};

fn rules(all: &[(Effect, &str)]) -> RuleSet {
    let parse = |(effect, text): &(Effect, &str)| {
        Rule::parse(*effect, text, RuleSource::Session).unwrap_or_else(|error| panic!("{error}"))
    };
    RuleSet::new(all.iter().map(parse).collect())
}

fn tools() -> Vec<Arc<dyn Tool>> {
    crate::all(&ShellConfig::default(), &WebConfig::default())
}

fn definitions() -> Vec<ToolDefinition> {
    tools().iter().map(|tool| tool.spec().definition.clone()).collect()
}

fn ruling(rules: &RuleSet, tool: &str, arguments: Value) -> &'static str {
    let tools = tools();
    let tool = tools.iter().find(|one| one.spec().definition.name == tool).expect("a tool");
    let (folder, workspace) = workspace();
    std::fs::create_dir(folder.path().join("docs")).expect("made");
    std::fs::write(folder.path().join(".env"), "x").expect("written");
    std::os::unix::fs::symlink("../.env", folder.path().join("docs/link")).expect("linked");
    let arguments: Map<String, Value> = serde_json::from_value(arguments).expect("an object");
    match rules.ruling(&CallTraits::new(tool.as_ref(), &arguments, false, &workspace)) {
        Ruling::Deny(_) => "deny",
        Ruling::Ask(_) => "ask",
        Ruling::Unclear(_) => "unclear",
        Ruling::Allow => "allow",
        Ruling::Silent => "silent",
    }
}

fn of_command(rules: &RuleSet, command: &str) -> &'static str {
    ruling(rules, "bash", json!({"command": command}))
}

#[test]
fn deny_stands_over_ask_over_allow_whatever_the_order() {
    let rules =
        rules(&[(Effect::Allow, "bash(git *)"), (Effect::Ask, "bash(git commit*)"), (Effect::Deny, "bash(git push*)")]);

    for (command, expected) in [
        ("git status", "allow"),
        ("git status && git log", "allow"),
        ("git commit -m x", "ask"),
        ("git commit -m x; git push", "deny"),
        ("git status | sh", "unclear"),
        ("ls", "silent"),
    ] {
        assert_eq!(of_command(&rules, command), expected, "{command}");
    }
}

#[test]
fn every_command_of_a_line_must_be_allowed() {
    let rules = rules(&[(Effect::Allow, "bash(git status *)"), (Effect::Allow, "bash(ls*)")]);

    for allowed in [
        "git status",
        "git status -s",
        "git status && ls -la",
        "ls | git status",
        "ls; ls; ls",
        "bash -c 'ls; git status'",
        "timeout 5 nice ls",
        "ls 2>&1 >/dev/null",
        "for f in a b; do ls $f; done",
        "ls $(git status)",
        "ls | xargs ls",
    ] {
        assert_eq!(of_command(&rules, allowed), "allow", "{allowed}");
    }
    for asked in [
        "git status && rm x",
        "git status; rm x",
        "git status\nrm x",
        "git status | rm x",
        "git status & rm x",
        "git status || rm x",
        "git status $(rm x)",
        "git status `rm x`",
        "git status \"$(rm x)\"",
        "git status <(rm x)",
        "bash -c 'git status; rm x'",
        "bash -c \"$X\"",
        "PATH=. git status",
        "env PATH=. git status",
        "PATH=.; git status",
        "git -c core.pager=x status",
        "git status > file",
        "ls | xargs rm",
        "find . -exec rm {} +",
        "sudo ls",
        "eval ls",
        "ls() { rm x; }; ls",
        "$ls",
        "./ls",
        "git status ${x:-$(rm y)}",
        "ls <<END\n$(rm x)\nEND",
    ] {
        assert_eq!(of_command(&rules, asked), "silent", "{asked}");
    }
}

#[test]
fn a_star_behind_git_does_not_allow_options_that_run_programs() {
    let wide = rules(&[(Effect::Allow, "bash(git *)")]);
    let named = rules(&[(Effect::Allow, "bash(git -C sub *)")]);

    assert_eq!(of_command(&wide, "git log"), "allow");
    assert_eq!(of_command(&wide, "git -c core.pager='!sh' log"), "silent");
    assert_eq!(of_command(&wide, "git $X"), "silent");
    assert_eq!(of_command(&named, "git -C sub log"), "allow");
}

/// The list of G21: however a denied command is wrapped, one that can be read is denied, and one that cannot is
/// unclear, which is never allowed.
#[test]
fn g21_a_denied_command_is_found_in_any_wrapping() {
    let rules = rules(&[(Effect::Allow, "bash"), (Effect::Deny, "bash(cat .env)"), (Effect::Deny, "bash(git push *)")]);

    for denied in [
        "cat .env",
        "ls && cat .env",
        "ls; cat .env",
        "ls\ncat .env",
        "ls | cat .env",
        "echo $(cat .env)",
        "echo `cat .env`",
        "bash -c 'cat .env'",
        "sh -c \"bash -c 'cat .env'\"",
        "A=1 cat .env",
        "env A=1 cat .env",
        "nice timeout 5 cat .env",
        "/bin/cat .env",
        "'cat' \".env\"",
        "c\\at .env",
        "sudo cat .env",
        "eval 'cat .env'",
        "echo 'cat .env' | bash",
        "find . -exec cat .env \\;",
        "git push",
        "git -c core.pager=x push origin",
        "git -C sub push",
        "if true; then cat .env; fi",
        "f() { cat .env; }; f",
        "cat .env > copy",
        "ca$'t' .env",
    ] {
        assert_eq!(of_command(&rules, denied), "deny", "{denied}");
    }
    for unclear in ["$X .env", "cat $X", "eval \"$X\"", "echo .env | xargs cat", "bash script <(x", "source <(echo x"] {
        assert_eq!(of_command(&rules, unclear), "unclear", "{unclear}");
    }
    assert_eq!(of_command(&rules, "cat README"), "allow");
}

#[test]
fn globs_speak_for_the_files_of_any_file_tool() {
    let rules = rules(&[(Effect::Allow, "file_write(docs/**)"), (Effect::Deny, "module:files(.env)")]);

    for (tool, arguments, expected) in [
        ("file_write", json!({"path": "docs/a.md", "content": ""}), "allow"),
        ("file_write", json!({"path": "./docs/../docs/a.md", "content": ""}), "allow"),
        ("file_write", json!({"path": "docs/../src/a.rs", "content": ""}), "silent"),
        ("file_write", json!({"path": "docs/link", "content": ""}), "deny"),
        ("file_read", json!({"file_paths": ["a", "sub/.env"]}), "deny"),
        ("file_read", json!({"file_paths": ["a"]}), "silent"),
        ("file_read", json!({"file_paths": ["docs/link"]}), "deny"),
        ("grep", json!({"pattern": "x", "path": ".env"}), "deny"),
    ] {
        assert_eq!(ruling(&rules, tool, arguments.clone()), expected, "{tool} {arguments}");
    }
}

#[test]
fn rules_speak_by_tool_module_risk_name_and_argument() {
    for (rule, tool, arguments, speaks) in [
        ("calculator", "calculator", json!({"expression": "1"}), true),
        ("module:data", "calculator", json!({"expression": "1"}), true),
        ("risk:read", "calculator", json!({"expression": "1"}), true),
        ("risk:execute", "calculator", json!({"expression": "1"}), false),
        ("file_*", "file_read", json!({"file_paths": ["a"]}), true),
        ("*", "bash", json!({"command": "ls"}), true),
        ("calculator(expression=1 + *)", "calculator", json!({"expression": "1 + 2"}), true),
        ("calculator(expression=1 + *)", "calculator", json!({"expression": "2"}), false),
        ("bash(working_dir=sub*)", "bash", json!({"command": "ls", "working_dir": "sub/a"}), true),
    ] {
        for (effect, said) in [(Effect::Allow, "allow"), (Effect::Ask, "ask"), (Effect::Deny, "deny")] {
            let expected = if speaks { said } else { "silent" };
            assert_eq!(ruling(&rules(&[(effect, rule)]), tool, arguments.clone()), expected, "{effect} {rule}");
        }
    }
}

#[test]
fn a_command_with_the_network_needs_a_rule_that_names_it() {
    let call = json!({"command": "ls", "network": true});
    for (rule, expected) in [
        ("bash", "silent"),
        ("bash(ls*)", "silent"),
        ("risk:execute", "silent"),
        ("risk:network", "allow"),
        ("bash(network=true)", "allow"),
    ] {
        assert_eq!(ruling(&rules(&[(Effect::Allow, rule)]), "bash", call.clone()), expected, "{rule}");
    }
    assert_eq!(ruling(&rules(&[(Effect::Deny, "risk:execute")]), "bash", call), "deny");
}

#[test]
fn a_rule_that_can_never_match_says_why_and_what_to_write() {
    let why = |all: &[(Effect, &str)]| {
        let rules = rules(all);
        let modules = ["github".to_owned()];
        rules.never_matching(&definitions(), &modules).map(|(rule, why)| format!("{}: {why}", rule.effect()))
    };
    for (rule, said) in [
        ("file_raed", "there is no tool \"file_raed\"; did you mean \"file_read\"?"),
        ("frobnicate", "`switchboard tools` lists them"),
        ("zzz_*", "no tool has a name like that"),
        ("module:fils", "there is no module \"fils\"; did you mean \"files\"?"),
        ("module:frobnicate", "the modules are "),
        ("file_read(/etc/passwd)", "is outside the workspace; write a glob relative to it"),
        ("file_read(../x)", "is not a path inside the workspace"),
        ("file_read([)", "is not a glob"),
        ("bash(comand=ls)", "bash has no argument \"comand\"; did you mean \"command\"?"),
        ("bash(git status && ls)", "commands are checked one by one"),
        ("calculator(1 + 1)", "calculator is not about a command, file or address: name an argument"),
    ] {
        let why = why(&[(Effect::Allow, rule)]).unwrap_or_else(|| panic!("{rule} is taken"));
        assert!(
            why.starts_with(&format!("allow: the rule \"{rule}\" can never match: ")) && why.contains(said),
            "{why}"
        );
    }
    for (wide, narrow) in [
        ("bash", "bash(git push*)"),
        ("bash(git *)", "bash(git push*)"),
        ("module:files", "file_write(docs/**)"),
        ("risk:execute", "bash(ls)"),
        ("*", "risk:read"),
        ("module:files(docs/**)", "file_write(docs/a/*.md)"),
    ] {
        let why = why(&[(Effect::Allow, narrow), (Effect::Deny, wide)]).unwrap_or_else(|| panic!("{narrow} is taken"));
        assert!(why.contains(&format!("the rule \"{wide}\" of `deny` takes precedence over all of it")), "{why}");
    }
    for taken in [
        "github__search",
        "github__*",
        "*",
        "module:github",
        "risk:network",
        "file_read(docs/**)",
        "bash(ls *)",
        "module:files(*.pem)",
    ] {
        assert_eq!(why(&[(Effect::Allow, taken)]), None, "{taken}");
    }
    assert_eq!(why(&[(Effect::Allow, "bash(git *)"), (Effect::Deny, "bash(git push*)")]), None);
}

#[test]
fn what_is_no_rule_says_how_one_is_written() {
    for (text, said) in [
        ("", "a rule is empty"),
        ("bash(", "has no \")\" at its end"),
        ("bash()", "has nothing between its parentheses"),
        ("risk:danger", "there is no risk \"danger\"; the risks are read, write, execute, network, ui"),
        ("module:", "names no module"),
        ("bash ls", "is not a rule: write a tool"),
    ] {
        let error = Rule::parse(Effect::Deny, text, RuleSource::Session).expect_err(text);
        assert!(error.contains(said), "{text}: {error}");
    }
    assert_eq!(Rule::split("a, bash(x, y)\n b ,"), ["a", "bash(x, y)", "b"]);
}

#[test]
fn a_denied_glob_closes_files_for_what_its_tools_do() {
    let registry = switchboard_tools::ToolRegistry::new();
    for tool in tools() {
        registry.insert(tool).expect("a tool");
    }
    let rules =
        rules(&[(Effect::Deny, "file_read(.env)"), (Effect::Deny, "file_write(docs/**)"), (Effect::Deny, "bash")]);

    let denied_paths = rules.denied_paths(&registry.all());

    use switchboard_workspace::Access;
    let found = [".env", "docs/a", "src/a"]
        .map(|path| (denied_paths.covers(path, Access::Read), denied_paths.covers(path, Access::Change)));
    assert_eq!(found, [(true, true), (false, true), (false, false)]);
}

#[test]
fn a_program_that_reaches_the_network_asks_as_both() {
    let tools = tools();
    let bash = tools.iter().find(|tool| tool.spec().definition.name == "bash").expect("bash");
    let (_folder, workspace) = workspace();
    let arguments: Map<String, Value> =
        serde_json::from_value(json!({"command": "ls", "network": true})).expect("an object");
    let call = CallTraits::new(bash.as_ref(), &arguments, false, &workspace);

    let verdict = Policy::new(ApproveMode::Ask).decide(bash.spec(), &call, &RuleSet::default());

    assert_eq!(verdict, Verdict::Ask("bash runs a program that can reach the network.".to_owned()));
}
