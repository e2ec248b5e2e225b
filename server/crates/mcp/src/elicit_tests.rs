//! What a user is asked for a server, and what the server hears.

use super::*;

/// Asks with this form; the user gives these answers, one a question. What was asked, and what the server hears.
async fn talk(schema: Value, answers: &[QueryAnswer]) -> (Vec<Question>, ElicitResult) {
    let (line, mut asks) = UserLine::open();
    let request = json!({"mode": "form", "message": "Who are\u{e0041} you?", "requestedSchema": schema});
    let form = Form::of(serde_json::from_value(request).expect("a request")).expect("a form");
    let user = async move {
        let mut asked = Vec::new();
        for answer in answers {
            let question = asks.recv().await.expect("another question");
            asked.push(question.question);
            let _ = question.reply.send(answer.clone());
        }
        asked
    };
    tokio::join!(user, async move { form.ask("harbour", &line).await })
}

/// A question with its choices, in one line.
fn line(question: &Question) -> String {
    let labels: Vec<_> = question.choices().iter().map(|choice| choice.label.as_str()).collect();
    format!("{} {labels:?}", question.message())
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

    assert_eq!(line(&asked[0]), "The MCP server harbour asks: Who are you? [\"Yes\", \"No\"]");
    assert_eq!((result.action, result.content), (ElicitationAction::Accept, Some(json!({}))));
}

#[tokio::test]
async fn one_field_with_choices_is_one_question() {
    let schema = form(json!({"pet": {"type": "string", "title": "Pet", "enum": ["cat", "dog"]}}), &["pet"]);

    let (asked, result) = talk(schema.clone(), &[given(json!("dog"))]).await;
    let (_, declined) = talk(schema, &[given(json!({"action": "decline"}))]).await;

    assert_eq!(asked.len(), 1);
    assert!(line(&asked[0]).ends_with("\n\nPet [\"cat\", \"dog\", \"Do not answer\"]"), "{asked:?}");
    assert_eq!(result.content, Some(json!({"pet": "dog"})));
    assert_eq!((declined.action, declined.content), (ElicitationAction::Decline, None));
}

#[tokio::test]
async fn several_fields_are_one_form_which_is_shown_again_with_what_was_given_if_that_does_not_fit() {
    let schema = form(
        json!({"name": {"type": "string"}, "age": {"type": "integer"}, "note": {"type": "string", "default": "none"}}),
        &["name", "age"],
    );
    let contents = [json!({"name": "Ada", "age": "many"}), json!({"name": "Ada", "age": "36", "note": null})];
    let answers = contents.map(|content| given(json!({"action": "accept", "content": content})));

    let (asked, result) = talk(schema, &answers).await;

    let filled_in = |question: &Question| -> Vec<_> {
        question.fields().iter().map(|field| field.default.clone().unwrap_or_default()).collect()
    };
    assert_eq!(line(&asked[0]), "The MCP server harbour asks: Who are you? [\"Answer one by one\", \"Do not answer\"]");
    assert_eq!(filled_in(&asked[0]), [Value::Null, Value::Null, json!("none")]);
    assert!(asked[1].message().starts_with("This cannot be sent: age: give a whole number."), "{asked:?}");
    assert_eq!(filled_in(&asked[1]), [json!("Ada"), json!("many"), json!("none")]);
    assert_eq!(result.content, Some(json!({"name": "Ada", "age": 36})));
}

#[tokio::test]
async fn a_client_that_shows_no_forms_answers_one_by_one() {
    let schema = form(
        json!({
            "name": {"type": "string"}, "age": {"type": "integer", "default": 36}, "sails": {"type": "boolean"},
            "seas": {"type": "array", "items": {"type": "string", "enum": ["North", "Baltic"]}},
        }),
        &["name", "seas"],
    );
    let answers = [
        json!({"action": "one-by-one"}),
        json!("-"),
        json!("-"),
        json!({"action": "skip"}),
        json!("tide"),
        json!("north"),
    ];
    let (asked, result) = talk(schema, &answers.map(given)).await;

    let asked: Vec<_> =
        asked.iter().skip(1).map(|question| line(question).replace("The MCP server harbour ", "")).collect();
    let seas = "asks for:\nseas; any of North, Baltic, separated by commas []";
    assert_eq!(
        asked,
        [
            "asks for:\nname []",
            "asks for:\nage; now 36\nA `-` leaves it as it is. []",
            "asks for:\nsails [\"Yes\", \"No\", \"Leave it as it is\"]",
            seas,
            &format!("This cannot be sent: seas: tide is not one of its choices.\n\n{seas}"),
        ]
    );
    assert_eq!(result.content, Some(json!({"name": "-", "age": 36, "seas": ["North"]})));
}

#[tokio::test]
async fn a_form_can_be_sent_as_it_is_filled_in() {
    let schema = form(json!({"size": {"type": "integer", "default": 42}, "note": {"type": "string"}}), &["size"]);

    let (asked, result) = talk(schema, &[given(json!({"action": "accept"}))]).await;

    assert!(line(&asked[0]).contains("\"Send it as it is filled in\""), "{asked:?}");
    assert_eq!(result.content, Some(json!({"size": 42})));
}

#[tokio::test]
async fn a_question_that_is_not_answered_is_cancelled() {
    let schema = form(json!({"name": {"type": "string"}}), &["name"]);

    for end in [QueryAnswer::Dismissed, QueryAnswer::Expired, QueryAnswer::Cancelled] {
        let (_, result) = talk(schema.clone(), &[end]).await;
        assert_eq!((result.action, result.content), (ElicitationAction::Cancel, None));
    }
    let (asked, result) = talk(schema, &[(); TRIES].map(|()| given(json!({"action": "accept"})))).await;
    assert_eq!((asked.len(), result.action), (TRIES, ElicitationAction::Cancel));
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
