//! The scripts of docs/api.md against the started server: what they print, how they end, and what they do when asked.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use switchboard_tests::{ServerOptions, TestServer, request, soon};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;
use uuid::Uuid;

/// Each script with what runs it.
const SCRIPTS: [(&str, &str); 3] = [("python3", "ask.py"), ("node", "ask.mjs"), ("bash", "ask.sh")];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join("docs")
}

fn script(server: &TestServer, (program, name): (&str, &str), arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .arg(docs().join("scripts").join(name))
        .args(arguments)
        .env("SWITCHBOARD_URL", format!("http://{}", server.address()))
        .env_remove("SWITCHBOARD_AUTH_TOKEN")
        .env("NO_PROXY", "*")
        .env("no_proxy", "*")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Runs a script with these lines on its input; its exit code, what it printed, and what it complained of.
async fn run(command: &mut Command, input: &str) -> (Option<i32>, String, String) {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the script starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    let output = soon("the end of the script", child.wait_with_output()).await.expect("the script ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn each_script_prints_what_happens_and_the_answer() {
    let server = TestServer::start().await;
    server.file("greeting.txt", "hello \"there\"\n");

    for each in SCRIPTS {
        let (code, out, complaint) = run(&mut script(&server, each, &["Calculate 42 * 37"]), "").await;

        assert_eq!(code, Some(0), "{each:?}: {out}{complaint}");
        let steps: Vec<_> = ["session ", ". analyzing: ", "> calculator {", "< done", "1554"]
            .into_iter()
            .map(|part| out.find(part).unwrap_or_else(|| panic!("{each:?} prints {part:?}: {out}")))
            .collect();
        assert!(steps.is_sorted(), "{each:?}: {out}");

        // The same session again: what it knows is still there.
        let session =
            out.lines().next().and_then(|line| line.strip_prefix("session ")).expect("the session").to_owned();
        let read = run(&mut script(&server, each, &["Read greeting.txt", &session]), "").await;
        assert!(read.0 == Some(0) && read.1.contains("hello \"there\""), "{each:?}: {read:?}");
        let events = request(server.address(), "GET", &format!("/api/sessions/{session}/events"), &[], b"").await;
        assert_eq!(events.text().matches("\"type\":\"user-message\"").count(), 2, "{each:?}");
    }
}

#[tokio::test]
async fn each_script_asks_and_hands_the_answer_over() {
    let server = TestServer::start_with(ServerOptions::default()).await;

    for each in SCRIPTS {
        let file = format!("{}.txt", each.1);
        let ask = [format!("Run `echo it-$((40 + 2)) | tee {file}`")];
        let ask: Vec<&str> = ask.iter().map(String::as_str).collect();

        let denied = run(&mut script(&server, each, &ask), "n\n").await;
        let silent = run(&mut script(&server, each, &ask), "").await;
        assert!(!server.workspace().join(&file).exists(), "{each:?}: {denied:?} {silent:?}");
        let allowed = run(&mut script(&server, each, &ask), "y\n").await;

        for refused in [denied, silent] {
            assert_eq!(refused.0, Some(1), "{each:?}: {refused:?}");
            assert!(refused.1.contains("? may bash run with {") && refused.1.contains("deny"), "{each:?}: {refused:?}");
            assert!(refused.1.contains("< failed: "), "{each:?}: {refused:?}");
        }
        assert_eq!(allowed.0, Some(0), "{each:?}: {allowed:?}");
        assert!(allowed.1.contains("allow-once") && allowed.1.contains("it-42"), "{each:?}: {allowed:?}");
        assert_eq!(server.content(&file), "it-42\n");
    }
}

#[tokio::test]
async fn n12_no_script_prints_what_controls_a_terminal_or_cannot_be_seen() {
    let server = TestServer::start().await;
    let evil = "\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}\u{200b}\u{3164}\u{e0041}";
    server.file("evil.txt", evil);
    let unseen = |text: &str| {
        let is_unseen = |c: char| evil.contains(c) && !c.is_ascii_graphic();
        text.chars().find(|&c| c != '\n' && (c.is_control() || is_unseen(c)))
    };

    for each in SCRIPTS {
        for said in ["Read evil.txt".to_owned(), format!("Read \u{ab}{evil}\u{bb}.txt")] {
            let (_, out, complaint) = run(&mut script(&server, each, &[&said]), "").await;

            assert!(out.contains("session ") && out.contains('\u{fffd}'), "{each:?}: {out:?} {complaint}");
            assert_eq!(unseen(&out), None, "{each:?}: {out:?}");
        }
        let ask = [format!(r#"use ask_user {{"question": "{evil} which?", "choices": ["red{evil}", "blue"]}}"#)];
        let ask: Vec<&str> = ask.iter().map(String::as_str).collect();
        let (_, out, _) = run(&mut script(&server, each, &ask), "2\n").await;
        assert_eq!(unseen(&out), None, "{each:?}: {out:?}");
    }
}

#[tokio::test]
async fn each_script_hands_an_answer_to_a_question_over() {
    let server = TestServer::start().await;

    for each in SCRIPTS {
        let choose = [r#"use ask_user {"question": "Which one?", "choices": ["red", "blue"]}"#];
        let free = [r#"use ask_user {"question": "Which one?"}"#];
        let chosen = run(&mut script(&server, each, &choose), "2\n").await;
        let dismissed = run(&mut script(&server, each, &choose), "").await;
        let said = run(&mut script(&server, each, &free), "any colour\n").await;

        let end = |run: &(Option<i32>, String, String)| run.1.lines().last().unwrap_or_default().to_owned();
        assert!(chosen.0 == Some(0) && chosen.1.contains("? Which one?"), "{each:?}: {chosen:?}");
        assert!(chosen.1.contains("  2  blue") && end(&chosen).contains("blue"), "{each:?}: {chosen:?}");
        assert!(dismissed.1.contains("dismissed"), "{each:?}: {dismissed:?}");
        assert!(said.0 == Some(0) && end(&said).contains("any colour"), "{each:?}: {said:?}");
    }
}

#[tokio::test]
async fn each_script_shows_its_token_and_tells_what_was_refused() {
    let token = "correct-horse-battery";
    let server = TestServer::start_with(ServerOptions::with(&["--auth-token", token])).await;
    let unknown = Uuid::new_v4().to_string();

    for each in SCRIPTS {
        let without = run(&mut script(&server, each, &["Calculate 1 + 1"]), "").await;
        let with = run(script(&server, each, &["Calculate 6 * 7"]).env("SWITCHBOARD_AUTH_TOKEN", token), "").await;
        let lost = run(script(&server, each, &["Hello", &unknown]).env("SWITCHBOARD_AUTH_TOKEN", token), "").await;

        assert!(without.0 == Some(1) && without.2.contains("401: "), "{each:?}: {without:?}");
        assert!(with.0 == Some(0) && with.1.contains("42"), "{each:?}: {with:?}");
        assert!(lost.0 == Some(1) && lost.2.contains("404: ") && lost.2.contains(&unknown), "{each:?}: {lost:?}");
    }
}

#[tokio::test]
async fn a_script_takes_up_a_lost_connection() {
    for each in &SCRIPTS[..2] {
        let mut server = TestServer::start().await;
        let address = server.address().to_owned();
        let mut child = script(&server, *each, &["Run `echo begun; sleep 50`"]).spawn().expect("the script starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let begun = async {
            while let Some(line) = lines.next_line().await.expect("a line") {
                if line.starts_with("> bash") {
                    return;
                }
            }
            panic!("the script ended");
        };
        soon("the command", begun).await;

        server.kill().await;
        server.start_on(&address).await;

        let mut rest = String::new();
        soon("the answer", lines.into_inner().read_to_string(&mut rest)).await.expect("the rest");
        let status = soon("the end of the script", child.wait()).await.expect("the script ends");
        assert_eq!(status.code(), Some(1), "{each:?}: {rest}");
        assert!(!rest.contains("> bash") && rest.contains("check"), "{each:?}: {rest}");
    }
}

#[test]
fn the_page_shows_what_the_scripts_say() {
    let page = std::fs::read_to_string(docs().join("api.md")).expect("docs/api.md");
    for (name, language) in [("ask.py", "python"), ("ask.mjs", "js"), ("ask.sh", "bash")] {
        let text = std::fs::read_to_string(docs().join("scripts").join(name)).expect("a script");
        let shown = page.split(&format!("```{language}\n")).nth(1).and_then(|rest| rest.split("```").next());
        let shown = shown.unwrap_or_else(|| panic!("docs/api.md shows {language}"));

        assert!(text.contains(shown), "docs/api.md shows what is not in {name}:\n{shown}");
        assert!(page.contains(&format!("(scripts/{name})")), "docs/api.md links {name}");
    }
}
