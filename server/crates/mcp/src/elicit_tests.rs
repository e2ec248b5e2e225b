//! What a user is asked for a server, and what the server hears.

use super::*;

/// Asks with this form; the user gives these answers, one a question. What was asked, and what the server hears.
async fn talk(schema: Value, answers: &[QueryAnswer]) -> (Vec<String>, ElicitResult) {
    let (line, mut asks) = UserLine::open();
    let (reply, heard) = oneshot::channel();
    let fields = fields_of(&schema).expect("a form");
    let form = Form { message: "Who are\u{e0041} you?".to_owned(), fields, reply };
    let user = async {
        let mut asked = Vec::new();
        for answer in answers {
            let question = asks.recv().await.expect("another question");
            let labels: Vec<_> = question.question.choices().iter().map(|choice| choice.label.as_str()).collect();
            asked.push(format!("{} {labels:?}", question.question.message()));
            let _ = question.reply.send(answer.clone());
        }
        asked
    };
    let (asked, ()) = tokio::join!(user, form.ask("harbour", &line));
    (asked, heard.await.expect("the server hears something"))
}

fn given(value: Value) -> QueryAnswer {
    QueryAnswer::Given(value)
}

#[expect(clippy::needless_pass_by_value, reason = "properties are made where they are named")]
fn form(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

#[tokio::test]
async fn i10_a_question_names_its_server_and_hides_nothing() {
    let (asked, result) = talk(form(json!({}), &[]), &[given(json!({"action": "accept"}))]).await;

    assert_eq!(asked, ["The MCP server harbour asks: Who are you? [\"Yes\", \"No\"]"]);
    assert_eq!((result.action, result.content), (ElicitationAction::Accept, Some(json!({}))));
}

#[tokio::test]
async fn one_field_with_choices_is_one_question() {
    let schema = form(json!({"pet": {"type": "string", "title": "Pet", "enum": ["cat", "dog"]}}), &["pet"]);

    let (asked, result) = talk(schema.clone(), &[given(json!("dog"))]).await;
    let (_, declined) = talk(schema, &[given(json!({"action": "decline"}))]).await;

    assert_eq!(asked.len(), 1);
    assert!(asked[0].contains("- Pet (one of a list) [\"cat\", \"dog\", \"Do not answer\"]"), "{asked:?}");
    assert_eq!(result.content, Some(json!({"pet": "dog"})));
    assert_eq!((declined.action, declined.content), (ElicitationAction::Decline, None));
}

#[tokio::test]
async fn several_fields_are_asked_for_one_by_one_and_again_if_they_do_not_fit() {
    let schema = form(
        json!({"name": {"type": "string"}, "age": {"type": "integer"}, "note": {"type": "string"}}),
        &["name", "age"],
    );
    let answers = [json!({"action": "accept"}), json!("Ada"), json!("many"), json!("36"), json!("-")].map(given);

    let (asked, result) = talk(schema, &answers).await;

    assert!(
        asked[0].contains("[\"Answer everything\", \"Answer only what is needed\", \"Do not answer\"]"),
        "{asked:?}"
    );
    assert!(asked[3].starts_with("That answer cannot be used: give a whole number."), "{asked:?}");
    assert_eq!(result.content, Some(json!({"name": "Ada", "age": 36})));
}

#[tokio::test]
async fn what_is_not_needed_takes_its_default() {
    let schema = form(json!({"name": {"type": "string"}, "size": {"type": "integer", "default": 42}}), &["name"]);

    let (asked, result) = talk(schema, &[given(json!({"action": "needed"})), given(json!("Ada"))]).await;

    assert_eq!(asked.len(), 2);
    assert_eq!(result.content, Some(json!({"name": "Ada", "size": 42})));
}

#[tokio::test]
async fn a_question_that_is_not_answered_is_cancelled() {
    let schema = form(json!({"name": {"type": "string"}}), &["name"]);

    for end in [QueryAnswer::Dismissed, QueryAnswer::Expired, QueryAnswer::Cancelled] {
        let (_, result) = talk(schema.clone(), &[given(json!({"action": "accept"})), end]).await;
        assert_eq!((result.action, result.content), (ElicitationAction::Cancel, None));
    }
}

#[tokio::test]
async fn i10_who_asks_uninvited_or_for_several_users_hears_no() {
    let elicitations = Arc::<ElicitationRegistry>::default();
    let request = || {
        let request = json!({"mode": "form", "message": "m", "requestedSchema": form(json!({}), &[])});
        serde_json::from_value::<ElicitRequestParams>(request).expect("a request")
    };

    let uninvited = elicitations.ask(request()).await;
    let one = elicitations.register(&Principal::local());
    let two = elicitations.register(&Principal::named("somebody else"));
    let ambiguous = elicitations.ask(request()).await;
    drop(two);
    let mut one = one;
    let (asked, ()) = tokio::join!(elicitations.ask(request()), async {
        let form = one.forms.recv().await.expect("the call that is left is asked");
        let _ = form.reply.send(ElicitResult::new(ElicitationAction::Accept));
    });

    assert_eq!((uninvited.action, ambiguous.action), (ElicitationAction::Decline, ElicitationAction::Decline));
    assert_eq!(asked.action, ElicitationAction::Accept);
}
