//! Single rules of [`SessionState::apply`]; that live and replayed states are equal is tested at the actor.

use serde_json::json;
use switchboard_protocol::{MessageId, Mode, ServerMessage, Step};

use super::*;
use crate::frames::frame;
use crate::outcome::goes_on;
use crate::recovery::Cut;

struct Log {
    state: SessionState,
    seq: u64,
}

impl Log {
    fn new() -> Self {
        Self { state: SessionState::default(), seq: 0 }
    }

    fn add(&mut self, turn: Option<&str>, message: ServerMessage, private: Option<&ServerOnly>) {
        self.seq += 1;
        self.state.apply(&frame(Some(self.seq), turn.map(str::to_owned), message), private);
    }

    fn message(&mut self, id: &str, mode: Mode) {
        let message = ServerMessage::UserMessage {
            message_id: id.to_owned(),
            text: id.to_uppercase(),
            mode,
            client_timestamp: None,
            prompt: None,
            tool: None,
            attachments: None,
            repeated: None,
        };
        self.add(Some(id), message, None);
    }

    fn thinks(&mut self, turn: &str, taken: &[&str]) {
        let message = ServerMessage::AgentThinking {
            step: Step::Analyzing,
            message: String::new(),
            needs_tools: None,
            found_tools: None,
            candidates: None,
            selected: None,
            reasoning: None,
        };
        let taken: Vec<MessageId> = taken.iter().map(|id| (*id).to_owned()).collect();
        self.add(Some(turn), message, Some(&ServerOnly { taken, ..ServerOnly::default() }));
    }

    fn ends(&mut self, turn: &str, ids: &[&str]) {
        let event = crate::recovery::tests::interrupted_end(turn);
        let ServerMessage::AgentError { text, error, code, suggestions, .. } = event.message else {
            panic!("it is an error")
        };
        let message = ServerMessage::AgentError {
            message_ids: Some(ids.iter().map(|id| (*id).to_owned()).collect()),
            text,
            error,
            code,
            path: None,
            attempted_tools: Vec::new(),
            suggestions,
            retryable: true,
            retry_after_ms: None,
        };
        self.add(Some(turn), message, None);
    }

    fn waiting(&self) -> Vec<&str> {
        self.state.messages.waiting.iter().map(|waiting| waiting.id.as_str()).collect()
    }

    fn turn(&self) -> Option<Vec<&str>> {
        self.state.messages.turn.as_ref().map(|turn| turn.messages.iter().map(|message| message.id.as_str()).collect())
    }
}

#[test]
fn a_turn_that_was_cut_off_goes_on_unless_a_message_replaces_it() {
    let mut log = Log::new();
    log.message("a", Mode::Queue);
    log.thinks("a", &["a"]);
    log.message("b", Mode::Queue);
    log.message("c", Mode::Steer);

    assert!(goes_on(&log.state, Cut::ServerStopped));
    assert!(!goes_on(&log.state, Cut::Imported));
    log.message("d", Mode::Interrupt);
    assert!(!goes_on(&log.state, Cut::ServerStopped));
}

/// What ends inside a specialist brings its turn no further: the specialist begins anew after a restart.
#[test]
fn only_the_calls_of_a_turn_itself_bring_it_further() {
    let mut log = Log::new();
    log.message("a", Mode::Queue);
    log.thinks("a", &["a"]);
    let mut add = |frame: serde_json::Value| {
        log.add(Some("a"), serde_json::from_value(frame).expect("a frame"), None);
        let turn = log.state.messages.turn.as_mut().expect("the turn is open");
        turn.resumed += 1;
        (turn.resumed, turn.done.len())
    };
    let start = |id: &str, tool: &str, parent: Option<&str>| json!({"type": "tool-call-start", "callId": id, "parentCallId": parent, "tool": tool, "module": "agents", "arguments": {}});
    let end = |id: &str, tool: &str| {
        json!({"type": "tool-call-end", "callId": id, "tool": tool, "started": true, "success": true, "preview": [],
            "durationMs": 1, "undoable": false, "error": ""})
    };

    assert_eq!(add(start("c1", "fixer", None)), (1, 0));
    assert_eq!(add(start("c2", "look", Some("c1"))), (2, 0));
    assert_eq!(add(end("c2", "look")), (3, 0));
    assert_eq!(add(end("c1", "fixer")), (1, 1));
}

#[test]
fn a_turn_takes_its_message_and_those_that_join() {
    let mut log = Log::new();
    log.message("a", Mode::Queue);
    log.message("b", Mode::Steer);
    log.message("c", Mode::Queue);

    log.thinks("a", &["a"]);
    log.thinks("a", &["b"]);

    assert_eq!((log.turn(), log.waiting()), (Some(vec!["a", "b"]), vec!["c"]));
}

#[test]
fn a_message_that_was_stopped_before_it_joined_does_not_end_twice() {
    let mut log = Log::new();
    log.message("a", Mode::Queue);
    log.message("b", Mode::Steer);
    log.thinks("a", &["a"]);

    log.ends("b", &["b"]);
    log.thinks("a", &["b"]);

    assert_eq!((log.turn(), log.waiting()), (Some(vec!["a"]), vec![]));
}

#[test]
fn a_message_that_replaces_the_turn_goes_before_those_that_wait() {
    let mut running = Log::new();
    running.message("a", Mode::Queue);
    running.thinks("a", &["a"]);
    running.message("b", Mode::Queue);
    running.message("c", Mode::Interrupt);
    let mut about_to_run = Log::new();
    about_to_run.message("a", Mode::Queue);
    about_to_run.message("b", Mode::Queue);
    about_to_run.message("c", Mode::Interrupt);

    assert_eq!(running.waiting(), ["c", "b"]);
    assert_eq!(about_to_run.waiting(), ["a", "c", "b"]);
}

#[test]
fn the_end_of_another_message_leaves_the_turn_alone() {
    let mut log = Log::new();
    log.message("a", Mode::Queue);
    log.message("b", Mode::Queue);
    log.thinks("a", &["a"]);

    log.ends("b", &["b"]);

    assert_eq!((log.turn(), log.waiting()), (Some(vec!["a"]), vec![]));
    log.ends("a", &["a"]);
    assert_eq!(log.turn(), None);
}

#[test]
fn an_event_out_of_order_is_damage() {
    let mut state = SessionState::default();
    let text = serde_json::to_string(&frame(Some(2), None, ServerMessage::ContextCleared {})).expect("it is a frame");
    let event = StoredEvent { seq: 2, at: String::new(), frame: text.into(), private: None };

    assert!(state.apply_stored(&event).is_err());
}

#[test]
fn the_pictures_of_a_call_are_found_in_a_log_from_before_they_had_handles() {
    let frame = r#"{"type":"tool-call-end","seq":1,"timestamp":"2026-01-05T10:00:00Z","turnId":"m1","callId":"c1","tool":"file_read","started":true,"success":true,"preview":["PNG picture of 2 × 3 pixels, 70 bytes"],"durationMs":1,"undoable":false,"error":""}"#;
    let private = r#"{"messages":[{"role":"assistant","content":"","toolCalls":[{"id":"c1","name":"file_read","arguments":{"path":"a.png"}}]},{"role":"tool","content":[{"type":"text","text":"a picture"},{"type":"picture","hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","format":"png","bytes":70,"width":2,"height":3}],"toolCallId":"c1"}]}"#;
    let event = StoredEvent {
        seq: 1,
        at: "2026-01-05T10:00:00Z".to_owned(),
        frame: frame.into(),
        private: Some(private.into()),
    };
    let mut state = SessionState::default();

    state.apply_stored(&event).expect("it can be read");

    let of_call = state.calls.pictures.iter().next().expect("a call with a picture");
    assert_eq!((of_call.call_id.as_str(), of_call.pictures.len(), of_call.pictures[0].width), ("c1", 1, 2));
}
