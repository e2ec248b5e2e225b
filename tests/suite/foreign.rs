//! Tools of other programs without a model: what merely remains of a request is never sent, posted or paid, what has no part
//! is asked about, and names and references work with every tool.

use serde_json::{Value, json};
use switchboard_tests::{McpFolder, ServerOptions, TestClient, TestServer, Turn};

/// A tool as its server lists it; its parameters are texts unless their type is said, and those without `?` are required.
fn tool(name: &str, description: &str, reads: bool, parameters: &[(&str, &str)]) -> Value {
    let of = |(name, about): &(&str, &str)| {
        let kind = if name.starts_with('#') { "number" } else { "string" };
        (plain(name), json!({"type": kind, "description": about}))
    };
    let properties: serde_json::Map<String, Value> = parameters.iter().map(of).collect();
    let required: Vec<String> =
        parameters.iter().filter(|(name, _)| !name.ends_with('?')).map(|(name, _)| plain(name)).collect();
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let annotations = if reads { json!({"readOnlyHint": true}) } else { json!({}) };
    json!({"name": name, "description": description, "inputSchema": schema, "annotations": annotations})
}

fn plain(name: &str) -> String {
    name.trim_matches(['#', '?']).to_owned()
}

/// Mail, calendar, tickets, chat, payments, a database, files and a browser.
fn office() -> Vec<Value> {
    let mut tools = vec![
        tool(
            "email_send",
            "Send an email.",
            false,
            &[("to", "Who gets it"), ("subject", "The subject"), ("body", "The text")],
        ),
        tool("email_search", "Search the mailbox.", true, &[("query", "What to look for")]),
        tool(
            "create_event",
            "Create an event in the calendar.",
            false,
            &[("title", "The event's name"), ("start", "When it begins, as YYYY-MM-DD HH:MM")],
        ),
        tool(
            "create_ticket",
            "Create a ticket in the tracker.",
            false,
            &[("title", "Its title"), ("description", "What it is about")],
        ),
        tool("close_ticket", "Close a ticket.", false, &[("ticket_id", "Its number")]),
        tool("get_ticket", "Get a ticket of the tracker.", true, &[("ticket_id", "Its number")]),
        tool(
            "post_message",
            "Post a message to a channel of the team chat.",
            false,
            &[("channel", "The channel's name"), ("text", "The message")],
        ),
        tool(
            "send_payment",
            "Send a payment to somebody.",
            false,
            &[("recipient", "Who is paid"), ("#amount", "How much"), ("currency", "The currency's code")],
        ),
        tool("refund_payment", "Refund a payment.", false, &[("payment_id", "The payment's id")]),
        tool("execute_sql", "Execute an SQL statement on the database.", false, &[("statement", "The SQL")]),
        tool(
            "upload_file",
            "Upload a file to the cloud drive.",
            false,
            &[("path", "The file"), ("folder", "Where to")],
        ),
        tool("browser_open", "Open a web page in the browser.", false, &[("url", "Its address")]),
        tool(
            "browser_type",
            "Type text into a field of the web page.",
            false,
            &[("selector", "The field's selector"), ("text", "What to type")],
        ),
    ];
    tools[5]["_meta"] =
        json!({"answers": "{\"id\": \"T-17\", \"owner\": {\"email\": \"ada@example.org\"}, \"state\": \"open\"}"});
    tools
}

struct Office {
    folder: McpFolder,
    _server: TestServer,
    client: TestClient,
    seen: usize,
}

impl Office {
    /// A server with these tools that asks for no approval.
    async fn with(tools: Vec<Value>, last: &str) -> Self {
        let folder = McpFolder::default();
        std::fs::write(folder.path().join("tools.json"), json!(tools).to_string()).expect("definitions");
        let mut options = ServerOptions::auto();
        options.arguments.extend(folder.options(json!({"office": folder.scripted("catalogue")}), &[]).arguments);
        let server = TestServer::start_with(options).await;
        server.until_tool(&format!("office__{last}")).await;
        let client = server.connect().await;
        Self { folder, _server: server, client, seen: 0 }
    }

    /// The turn of a request, and the calls that it made.
    async fn ask(&mut self, request: &str) -> (Turn, Vec<(String, Value)>) {
        let turn = self.client.ask(request).await;
        let told = self.folder.told();
        let calls = told[self.seen..].iter().filter_map(|line| {
            let call: Value = serde_json::from_str(line).ok()?;
            Some((call["called"].as_str()?.to_owned(), call["arguments"].clone()))
        });
        let calls = calls.collect();
        self.seen = told.len();
        (turn, calls)
    }
}

/// What is done, and with what.
const DONE: &[(&str, &str, &str)] = &[
    (
        "Send an email to bob@example.org with the subject \"Lunch\" saying \"Meet at noon\"",
        "email_send",
        r#"{"to": "bob@example.org", "subject": "Lunch", "body": "Meet at noon"}"#,
    ),
    (
        "please send an email to bob@example.org with the subject Lunch and the body Meet at noon and bring Ada",
        "email_send",
        r#"{"to": "bob@example.org", "subject": "Lunch", "body": "Meet at noon and bring Ada"}"#,
    ),
    ("Close ticket 4711", "close_ticket", r#"{"ticket_id": "4711"}"#),
    (
        "Create a ticket with the title \"Login broken\" and the description \"500 on submit\"",
        "create_ticket",
        r#"{"title": "Login broken", "description": "500 on submit"}"#,
    ),
    (
        "Post \"the build is green\" to the releases channel",
        "post_message",
        r#"{"channel": "releases", "text": "the build is green"}"#,
    ),
    (
        "Can you post a message to the releases channel saying the build is green and we can go home",
        "post_message",
        r#"{"channel": "releases", "text": "the build is green and we can go home"}"#,
    ),
    ("Refund the payment pay_8812", "refund_payment", r#"{"payment_id": "pay_8812"}"#),
    ("Send a payment of 25 EUR to Ada", "send_payment", r#"{"recipient": "Ada", "amount": 25, "currency": "EUR"}"#),
    (
        "Execute the SQL statement \"SELECT count(*) FROM users\" on the database",
        "execute_sql",
        r#"{"statement": "SELECT count(*) FROM users"}"#,
    ),
    (
        "Type \"hello\" into the field `#name` of the web page",
        "browser_type",
        r##"{"selector": "#name", "text": "hello"}"##,
    ),
    ("Search the mailbox for invoices", "email_search", r#"{"query": "invoices"}"#),
    ("Get the ticket 4711 of the tracker", "get_ticket", r#"{"ticket_id": "4711"}"#),
];

/// What is meant for none of the tools, or lacks something, or is not to be done now. None may call anything.
const NOT_DONE: &[&str] = &[
    "Send a text message to Bob's phone",
    "Send Bob an email",
    "Send an email to Bob saying hi",
    "Email the report to bob@example.org",
    "Don't send an email to bob@example.org with the subject Lunch saying hi",
    "How do I send an email to bob@example.org with the subject Lunch saying hi?",
    "Did you send an email to bob@example.org with the subject Lunch saying hi?",
    "If the build fails, send an email to bob@example.org with the subject Lunch saying hi",
    "Send an email tomorrow at nine to bob@example.org with the subject Lunch saying hi",
    "We sent an email to bob@example.org with the subject Lunch saying hi",
    "Forward the email of yesterday to bob@example.org",
    "Delete ticket 4711",
    "Close the garage door",
    "Create a ticket for the concert on Friday",
    "Book a ticket to Paris",
    "Post a letter to my landlord",
    "Send flowers to Ada",
    "Send a payment to Ada",
    "Pay attention to the logs",
    "Refund my train ticket",
    "Open the garage door",
    "Execute the order of Ada",
    "Create an event for the birthday of Ada",
    "Upload a photo of Ada",
    "Tell the team that the build is green",
    "Never close ticket 4711",
    "Close all tickets except 4711",
    "Type faster please",
];

#[tokio::test]
async fn what_a_request_says_is_done() {
    let mut office = Office::with(office(), "browser_type").await;
    let mut wrong = Vec::new();
    for (request, tool, arguments) in DONE {
        let arguments: Value = serde_json::from_str(arguments).expect("arguments");
        let (turn, calls) = office.ask(request).await;
        if calls != [((*tool).to_owned(), arguments)] {
            wrong.push(format!("{request}\n  calls {calls:?}\n  says {}", turn.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_it_does_not_say_is_not_done() {
    let mut office = Office::with(office(), "browser_type").await;
    let mut wrong = Vec::new();
    for request in NOT_DONE {
        let (turn, calls) = office.ask(request).await;
        let said = turn.end["complete"] == json!(false) || turn.end["type"] == "agent-error";
        if !calls.is_empty() || !said {
            wrong.push(format!("{request}\n  calls {calls:?}\n  says {}", turn.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn words_without_a_part_are_asked_about_and_a_yes_takes_the_calls() {
    let mut office = Office::with(office(), "browser_type").await;
    let request = "Send an urgent email to bob@example.org with the subject Lunch saying hi";

    let (asked, none) = office.ask(request).await;
    let (_, calls) = office.ask("yes").await;
    let (_, again) = office.ask("yes").await;

    let asked = asked.says("urgent").says("bob@example.org").says("\"Lunch\"").says("Say yes");
    assert_eq!((asked.end["complete"].clone(), none), (json!(false), Vec::new()));
    let sent = json!({"to": "bob@example.org", "subject": "Lunch", "body": "hi"});
    assert_eq!((calls, again), (vec![("email_send".to_owned(), sent)], Vec::new()));
}

#[tokio::test]
async fn what_came_before_is_pointed_to_with_every_tool() {
    let mut office = Office::with(office(), "browser_type").await;

    let (turn, _) = office.ask("Get the ticket 4711 of the tracker and call it t").await;
    let (_, mailed) = office.ask("Send it to ada@example.org via email with the subject Ticket").await;
    let (_, named) = office.ask("Send an email to @t.owner.email with the subject @t.state saying \"Look\"").await;
    let (_, chained) = office.ask("Get the ticket 4711 of the tracker and post it to the releases channel").await;

    assert!(turn.stored().contains(&"t"), "{:?}", turn.stored());
    let ticket = "{\"id\": \"T-17\", \"owner\": {\"email\": \"ada@example.org\"}, \"state\": \"open\"}";
    let mail = json!({"to": "ada@example.org", "subject": "Ticket", "body": ticket});
    assert_eq!(mailed, [("email_send".to_owned(), mail)]);
    let mail = json!({"to": "ada@example.org", "subject": "open", "body": "Look"});
    assert_eq!(named, [("email_send".to_owned(), mail)]);
    let post = ("post_message".to_owned(), json!({"channel": "releases", "text": ticket}));
    assert_eq!(chained, [("get_ticket".to_owned(), json!({"ticket_id": "4711"})), post]);
}

#[tokio::test]
async fn what_one_tool_gives_goes_to_the_next() {
    let folder = McpFolder::default();
    let mut options = ServerOptions::auto();
    options.arguments.extend(folder.options(json!({"test": folder.scripted("office")}), &[]).arguments);
    let server = TestServer::start_with(options).await;
    server.until_tool("test__email_send").await;

    let turn = server.connect().await.ask("Get weather for New York and send it via email").await.answered();

    let sent = json!({"sent": {"message": "New York: 72°F, sunny"}}).to_string();
    assert!(folder.told().contains(&sent), "{:?}\n{}", folder.told(), turn.text());
}
