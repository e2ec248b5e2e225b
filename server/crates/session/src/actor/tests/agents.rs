//! Specialists: agents that are tools of other agents.

use serde_json::{Value, json};
use switchboard_protocol::{ServerFrame, ServerMessage};

use crate::test_support::{Bench, Client, text_of};

fn agent(id: &str, tools: &[&str]) -> Value {
    json!({"id": id, "name": format!("The {id}"), "instructions": "Do as you are told.", "tools": tools})
}

fn with(mut agent: Value, key: &str, value: Value) -> Value {
    agent[key] = value;
    agent
}

/// A message that has this tool called with a message.
fn calling(tool: &str, message: &str) -> String {
    format!("call {tool} {}", json!({"message": message}))
}

async fn ask(client: &mut Client, id: &str, text: &str) -> ServerFrame {
    client.send(id, text).await;
    client.end_of(id).await
}

/// Each call with the one that it belongs to.
fn calls(client: &Client) -> Vec<(String, Option<String>)> {
    let starts = client.frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::ToolCallStart { tool, call_id, parent_call_id, .. } => {
            Some((tool.clone(), call_id.to_string(), parent_call_id.as_ref().map(ToString::to_string)))
        }
        _ => None,
    });
    let starts: Vec<_> = starts.collect();
    let name = |id: &String| starts.iter().find(|(_, call, _)| call == id).map(|(tool, ..)| tool.clone());
    starts.iter().map(|(tool, _, parent)| (tool.clone(), parent.as_ref().and_then(name))).collect()
}

fn errors(client: &Client) -> String {
    let errors = client.frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::ToolCallEnd { error, .. } if !error.is_empty() => Some(error.clone()),
        _ => None,
    });
    errors.collect::<Vec<_>>().join("\n")
}

fn problems(bench: &Bench) -> String {
    bench.sessions.services().agents.list().1.join("\n")
}

#[tokio::test]
async fn a_specialist_works_under_its_call_and_keeps_what_it_stores() {
    let bench = Bench::new();
    bench.agent("scout.json", &agent("scout", &["look"]));
    let mut client = bench.client().await;

    let end = ask(&mut client, "m1", &calling("scout", "call look {\"at\": \"it\"}")).await;

    assert_eq!(text_of(&end), "done");
    assert_eq!(calls(&client), [("scout".to_owned(), None), ("look".to_owned(), Some("scout".to_owned()))]);
    let state = bench.state_of(client.session()).await;
    assert_eq!(state.context.names(), ["scout_result"], "what the specialist stored is its own");
    let said: Vec<&str> = state.conversation.messages().map(|message| message.content.text()).collect();
    assert_eq!(said.len(), 4, "the request, the call, its result, the answer: {said:?}");
    assert!(said[2].starts_with("done"), "{said:?}");
}

#[tokio::test]
async fn g12_a_specialist_cannot_call_itself_through_another_one() {
    let bench = Bench::new();
    bench.agent("a.json", &agent("aye", &["bee"]));
    bench.agent("b.json", &agent("bee", &["aye"]));
    let mut client = bench.client().await;

    let chain = calling("aye", &calling("bee", &calling("aye", "say never")));
    let end = ask(&mut client, "m1", &chain).await;

    assert!(errors(&client).contains("a specialist cannot call itself, not even through others: aye → bee → aye"));
    assert!(matches!(end.message, ServerMessage::AgentError { .. }));
    assert_eq!(calls(&client).len(), 3);
    // Baseline: what is as long and no circle is done.
    bench.agent("b.json", &agent("bee", &["sea"]));
    bench.agent("c.json", &agent("sea", &[]));
    let straight = ask(&mut client, "m2", &calling("aye", &calling("bee", &calling("sea", "say ever")))).await;
    assert_eq!(text_of(&straight), "done");
}

#[tokio::test]
async fn g12_a_chain_of_specialists_ends_at_its_depth_and_with_its_calls() {
    let bench = Bench::new();
    bench.agent("a.json", &with(agent("aye", &["bee"]), "maxDepth", json!(1)));
    bench.agent("b.json", &agent("bee", &["sea"]));
    bench.agent("c.json", &agent("sea", &["look"]));
    let mut client = bench.client().await;

    let chain = calling("aye", &calling("bee", &calling("sea", "say never")));
    ask(&mut client, "m1", &chain).await;

    assert!(
        errors(&client).contains("the chain of specialists cannot be any deeper: aye → bee → sea"),
        "{}",
        errors(&client)
    );
    // Baseline: where it may be deeper, it is.
    bench.agent("a.json", &with(agent("aye", &["bee"]), "maxDepth", json!(2)));
    assert_eq!(text_of(&ask(&mut client, "m2", &chain).await), "done");
}

#[tokio::test]
async fn a_specialist_that_takes_too_long_is_ended_by_its_own_clock() {
    let bench = Bench::new();
    bench.agent("slow.json", &with(agent("slow", &[]), "timeoutSecs", json!(1)));
    let mut client = bench.client().await;

    ask(&mut client, "m1", &calling("slow", "hold on")).await;

    assert!(errors(&client).contains("took longer than its limit of 1 s"), "{}", errors(&client));
}

#[tokio::test]
async fn an_answer_that_does_not_fit_its_schema_is_marked() {
    let bench = Bench::new();
    let schema = json!({"type": "object", "required": ["port"], "properties": {"port": {"type": "integer"}}});
    bench.agent("port.json", &with(agent("port", &[]), "output", schema));
    let mut client = bench.client().await;

    ask(&mut client, "m1", &calling("port", "say {\"port\": 80}")).await;
    ask(&mut client, "m2", &calling("port", "say about eighty")).await;

    let previews: Vec<String> = client
        .frames
        .iter()
        .filter_map(|frame| match &frame.message {
            ServerMessage::ToolCallEnd { preview, .. } => Some(preview.join(" ")),
            _ => None,
        })
        .collect();
    assert!(previews[0].contains("80") && !previews[0].contains("mismatch"), "{previews:?}");
    assert!(previews[1].contains("schema mismatch"), "{previews:?}");
}

#[tokio::test]
async fn a_bad_file_and_a_taken_name_are_reported_and_the_rest_work() {
    let bench = Bench::new();
    bench.agent("bad.json", &json!({"id": "Bad Name", "name": "Bad", "instructions": "x", "maxdepth": 1}));
    bench.agent("look.json", &agent("look", &[]));
    bench.agent("good.json", &agent("good", &[]));
    let mut client = bench.client().await;

    let end = ask(&mut client, "m1", &calling("good", "say hello")).await;

    assert_eq!(text_of(&end), "done");
    assert!(
        problems(&bench).contains("bad.json is skipped") && problems(&bench).contains("`id`"),
        "{}",
        problems(&bench)
    );
    let (agents, _) = bench.sessions.services().agents.list();
    let look = agents.iter().find(|agent| agent.definition.id == "look").expect("it is listed");
    assert_eq!((look.available, look.problem.as_deref()), (false, Some("another tool has this name")));
}

#[tokio::test]
async fn there_is_one_primary_and_it_is_no_tool() {
    let bench = Bench::new();
    bench.agent("one.json", &with(agent("one", &[]), "isPrimary", json!(true)));
    bench.agent("two.json", &with(agent("two", &[]), "isPrimary", json!(true)));

    assert!(
        problems(&bench).contains("two.json is skipped: `one` is already the primary agent"),
        "{}",
        problems(&bench)
    );
    assert!(bench.sessions.services().registry.get("one").is_none());
    let instructions = bench.sessions.services().agents.primary_instructions();
    assert_eq!(instructions.as_deref(), Some("Do as you are told."));
    assert!(bench.sessions.services().agents.switch("one", false).is_err());
}

#[tokio::test]
async fn a_specialist_is_switched_off_and_on_and_what_is_shipped_can_be_read() {
    let bench = Bench::new();
    bench.agent("good.json", &agent("good", &[]));
    let (agents, registry) = (&bench.sessions.services().agents, &bench.sessions.services().registry);

    agents.switch("good", false).expect("it is there");
    let off = registry.get("good").is_none();
    agents.switch("good", true).expect("it is there");

    assert!(off && registry.get("good").is_some());
    assert!(agents.switch("goood", true).expect_err("there is none").contains("did you mean `good`?"));
    let (all, problems) = agents.list();
    let ids: Vec<&str> = all.iter().map(|agent| agent.definition.id.as_str()).collect();
    assert_eq!((ids, problems), (vec!["code_gen", "good", "reader", "web_search"], Vec::new()));
    let web = all.iter().find(|agent| agent.definition.id == "web_search").expect("it is shipped");
    assert!(!web.available && web.problem.as_deref().is_some_and(|why| why.contains("language model")));
    assert_eq!(web.definition.tool().parameters["required"], json!(["query"]));
}
