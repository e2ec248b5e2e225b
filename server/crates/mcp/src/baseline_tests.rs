//! The baselines of the catalogue's group I, and of H03: what the same servers do to a plain client, which takes what
//! comes for what it asked for, waits without a limit, and does whatever it is told.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use rustix::io::ioctl_fionread;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::fake::{entry, told};

/// A client as it is written in an hour.
struct Plain {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: TempDir,
}

impl Plain {
    /// Starts the server that does wrong what `mode` says.
    fn start(mode: &str) -> Self {
        Self::start_in(mode, tempfile::tempdir().expect("a temporary folder can be made"))
    }

    fn start_in(mode: &str, folder: TempDir) -> Self {
        let server = entry(mode, folder.path());
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let mut child = Command::new(text(&server["command"]))
            .args(server["args"].as_array().expect("arguments").iter().map(text))
            .envs(server["env"].as_object().expect("variables").iter().map(|(name, value)| (name, text(value))))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut plain = Self { child, input, output: BufReader::new(output), folder };
        // The server is a test of this binary, whose harness speaks first.
        while plain.line() != "running 1 test\n" {}
        plain
    }

    fn tell(&mut self, message: &Value) {
        use std::io::Write;
        self.input.write_all(format!("{message}\n").as_bytes()).expect("the server reads");
    }

    #[expect(clippy::needless_pass_by_value, reason = "parameters are made where they are sent")]
    fn ask(&mut self, id: u32, method: &str, params: Value) {
        self.tell(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    fn call(&mut self, id: u32, tool: &str) {
        self.ask(id, "tools/call", json!({"name": tool, "arguments": {"text": tool}}));
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it can be read");
        line
    }

    /// The next message, whatever it is.
    fn next(&mut self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    fn told(&self) -> Vec<String> {
        told(self.folder.path())
    }

    /// The tools of the first page, taken as they are.
    fn tools(&mut self) -> Vec<Value> {
        self.ask(1, "tools/list", json!({}));
        self.next()["result"]["tools"].as_array().expect("a list").clone()
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn said(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

#[test]
fn i01_baseline_who_asks_again_after_an_end_does_it_twice() {
    let mut plain = Plain::start("");
    plain.call(1, "die");
    assert_eq!(plain.line(), "", "no answer, and nothing that says whether it was done");
    assert_eq!(plain.child.wait().expect("it ends").code(), Some(3));

    let folder = std::mem::replace(&mut plain.folder, tempfile::tempdir().expect("a folder"));
    let mut again = Plain::start_in("", folder);
    again.call(1, "die");
    assert_eq!(again.line(), "");

    assert_eq!(again.told(), ["die", "die"]);
}

#[test]
fn i02_baseline_noise_and_an_endless_line_are_taken_for_messages() {
    let mut plain = Plain::start("");
    plain.call(1, "noise");
    assert!(serde_json::from_str::<Value>(&plain.line()).is_err(), "the answer is not the first that comes");

    let mut plain = Plain::start("");
    plain.call(1, "long_line");
    let mut line = Vec::new();
    // 30 MiB are sent, without an end; the guard gives up at 24 MiB.
    (&mut plain.output).take(28 << 20).read_until(b'\n', &mut line).expect("it can be read");
    assert_eq!((line.len(), line.last()), (28 << 20, Some(&b'x')));
}

#[test]
fn i03_baseline_who_does_not_read_errors_gets_no_answer() {
    let mut plain = Plain::start("");
    let mut errors = plain.child.stderr.take().expect("a pipe");

    plain.call(1, "flood");
    while ioctl_fionread(&errors).expect("a number") < 4096 {
        thread::yield_now();
    }

    // Its answer comes only behind 5 MiB, for which a pipe has no room.
    assert_eq!(ioctl_fionread(plain.output.get_ref()).expect("a number"), 0);
    let reader = thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
    assert_eq!(said(&plain.next()), "flooded");
    drop(plain);
    assert!(reader.join().expect("it reads to the end").expect("it can be read") > 4 << 20);
}

#[test]
fn i04_baseline_a_wrong_greeting_is_taken_and_a_second_answer_is_the_next_calls() {
    for (mode, id, version) in [("wrong_id", 4711, "2025-06-18"), ("old_version", 1, "1999-01-01")] {
        let mut plain = Plain::start(mode);
        plain.ask(1, "initialize", json!({}));
        let greeting = plain.next();
        assert_eq!((&greeting["id"], &greeting["result"]["protocolVersion"]), (&json!(id), &json!(version)));
    }

    let mut plain = Plain::start("");
    plain.call(1, "twice");
    assert_eq!(said(&plain.next()), "twice");
    plain.call(2, "echo");
    assert_eq!(said(&plain.next()), "twice", "that is not what `echo` said");
}

#[test]
fn i05_baseline_lists_go_on_and_names_are_taken_as_they_are() {
    for (mode, tools) in [("many", 200 * 100), ("endless", 0)] {
        let mut plain = Plain::start(mode);
        let mut cursor = json!(null);
        let mut count = 0;
        for page in 0..200 {
            plain.ask(page, "tools/list", json!({ "cursor": cursor }));
            let answer = plain.next();
            count += answer["result"]["tools"].as_array().expect("a list").len();
            cursor = answer["result"]["nextCursor"].clone();
        }
        assert!(cursor.is_string(), "{mode}: there is always one more page");
        assert_eq!(count, tools, "{mode}");
    }

    let odd = Plain::start("odd").tools();
    assert!(["a/b", "", &"x".repeat(200)].iter().all(|name| odd.iter().any(|tool| tool["name"] == **name)));
    let mut by_name = BTreeMap::new();
    for server in ["one", "two"] {
        by_name.extend(Plain::start("").tools().iter().map(|tool| (tool["name"].to_string(), server)));
    }
    assert!(by_name.values().all(|server| *server == "two"), "the second server has taken every name of the first");
}

#[test]
fn i06_baseline_who_lists_at_each_notice_lists_a_thousand_times() {
    let mut plain = Plain::start("");
    plain.call(1, "storm");
    while plain.next()["method"] == "notifications/tools/list_changed" {
        plain.ask(2, "tools/list", json!({}));
    }
    for _ in 0..1000 {
        assert!(plain.next()["result"]["tools"].is_array());
    }

    assert_eq!(plain.told().iter().filter(|line| *line == "list").count(), 1000);
}

#[test]
fn i07_baseline_a_changed_definition_is_used_as_if_it_were_the_old_one() {
    let mut plain = Plain::start("");
    let agreed = plain.tools()[0].clone();

    plain.call(1, "change");
    assert_eq!(plain.next()["method"], "notifications/tools/list_changed");
    assert_eq!(said(&plain.next()), "changed");
    let now = plain.tools()[0].clone();
    plain.call(2, "echo");

    assert_eq!((agreed["name"].clone(), said(&plain.next())), (now["name"].clone(), "echo"));
    assert_ne!(agreed["description"], now["description"], "and nobody was asked");
}

/// The server answers what comes after it, so nothing more will come for this request.
fn waits_for_ever(mode: &str, method: &str, params: Value) -> Vec<String> {
    let mut plain = Plain::start(mode);
    plain.ask(1, method, params);
    plain.ask(2, "ping", json!({}));
    assert_eq!(plain.next()["id"], 2);
    plain.told()
}

#[test]
fn i08_baseline_a_hung_call_is_waited_for_and_the_server_is_not_told() {
    assert_eq!(waits_for_ever("", "tools/call", json!({"name": "hang"})), ["hang"]);
}

#[test]
fn i10_baseline_a_client_that_answers_gives_away_what_it_is_asked_for() {
    let mut plain = Plain::start("");
    plain.call(1, "ask");
    for _ in 0..3 {
        let asked = plain.next();
        let gives = match asked["method"].as_str() {
            Some("elicitation/create") => json!({"action": "accept", "content": {"password": "hunter2"}}),
            Some("roots/list") => json!({"roots": [{"uri": "file:///home/ada"}]}),
            _ => json!({"role": "assistant", "content": {"type": "text", "text": "at the user's cost"}}),
        };
        plain.tell(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": gives}));
    }
    assert_eq!(said(&plain.next()), "asked");
    plain.call(2, "asked");

    let answer = plain.next();
    let has = said(&answer);
    assert!(["hunter2", "file:///home/ada", "at the user's cost"].iter().all(|part| has.contains(part)), "{has}");
}

#[test]
fn i16_baseline_who_greets_one_after_the_other_never_gets_to_the_second() {
    assert_eq!(waits_for_ever("silent", "initialize", json!({})), [] as [&str; 0]);
}

#[test]
fn h03_baseline_what_nobody_sees_comes_with_the_description() {
    let tools = Plain::start("odd").tools();
    let hidden = tools.iter().find(|tool| tool["name"] == "hidden").expect("it is in the list");

    assert_eq!(hidden["description"], "Adds.\u{e0041}\u{200b}");
}
