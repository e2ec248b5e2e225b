//! What the extraction finds, by kinds of value; and that it never panics and never breaks a schema.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Risk, ToolDefinition};

use super::{EARLIER, Filled, Request, calls_in};

/// A tool of no module, for whoever fills or picks it.
pub(in super::super) fn tool(name: &str, description: &str, parameters: Value) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        module: String::new(),
        parameters,
        output: None,
        example: Value::Null,
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

fn filled(text: &str, name: &str, description: &str, properties: &Value, required: &[&str]) -> Filled {
    let tool = tool(name, description, json!({"type": "object", "properties": properties, "required": required}));
    let request = Request::new(text);
    calls_in(&request, request.whole(), &tool)
}

fn check(text: &str, name: &str, properties: &Value, required: &[&str], wanted: &[Value]) {
    let found = filled(text, name, "", properties, required);
    let calls: Vec<Value> = found.calls.into_iter().map(Value::Object).collect();
    assert_eq!(calls, wanted, "{text}");
}

#[test]
fn numbers_go_to_the_parameters_whose_words_stand_beside_them() {
    let sizes = json!({"base": {"type": "integer"}, "height": {"type": "integer"}});
    check(
        "What is the area of a triangle of height 5 and base 10?",
        "triangle_area",
        &sizes,
        &["base", "height"],
        &[json!({"base": 10, "height": 5})],
    );
    let loan = json!({
        "amount": {"type": "number", "description": "The loan's amount."},
        "interest_rate": {"type": "number"},
        "years": {"type": "integer"},
    });
    check(
        "Work out a loan of $2,500 at 4.5% over 3 years",
        "loan",
        &loan,
        &["amount", "interest_rate", "years"],
        &[json!({"amount": 2500, "interest_rate": 0.045, "years": 3})],
    );
}

#[test]
fn dates_are_written_as_the_description_wants_them() {
    let visit = json!({"date": {"type": "string", "description": "The day, as YYYY-MM-DD."}});
    for text in ["Plan it for March 5th, 2024", "Plan it for 5 March 2024", "Plan it for 03/05/2024"] {
        check(text, "plan_visit", &visit, &["date"], &[json!({"date": "2024-03-05"})]);
    }
}

#[test]
fn addresses_and_quotations_find_their_parameters() {
    let mail = json!({"to": {"type": "string", "description": "The email address."}, "subject": {"type": "string"}});
    check(
        "Send a mail to ann@example.org with the subject \"Lunch on Friday\"",
        "send_mail",
        &mail,
        &["to", "subject"],
        &[json!({"to": "ann@example.org", "subject": "Lunch on Friday"})],
    );
}

#[test]
fn options_are_found_by_their_words_and_by_what_stands_for_them() {
    let rooms = json!({
        "kind": {"type": "string", "enum": ["single", "double"]},
        "city_id": {"type": "integer", "description": "The city: 1 for Bangkok, 2 for Chiang Mai."},
        "with_balcony": {"type": "boolean"},
    });
    check(
        "Find a double room in Chiang Mai without balcony",
        "find_room",
        &rooms,
        &["kind", "city_id"],
        &[json!({"kind": "double", "city_id": 2, "with_balcony": false})],
    );
}

#[test]
fn options_are_found_by_what_the_request_means() {
    let of = |options: &[&str]| json!({"option": {"type": "string", "enum": options}});
    let cases: &[(&str, &[&str], &str)] = &[
        ("A route to Rome by bus", &["driving", "walking", "transit"], "transit"),
        ("A report for each year", &["daily", "monthly", "yearly"], "yearly"),
        ("How far is it to Rome in kilometres?", &["imperial", "metric"], "metric"),
        ("Show the films, highest first", &["asc", "desc"], "desc"),
        ("Find a cheap seat", &["economy", "business", "first"], "economy"),
    ];
    for (text, options, wanted) in cases {
        check(text, "do_it", &of(options), &["option"], &[json!({"option": wanted})]);
    }
    let unclear = filled("Tell me of Berlin", "do_it", "", &of(&["celsius", "fahrenheit"]), &["option"]);
    assert_eq!(unclear.missing, ["option"]);
}

#[test]
fn flags_may_be_texts_and_be_told_by_their_description() {
    let park = json!({"good_for_kids": {
        "type": "string",
        "enum": ["True", "False", "dontcare"],
        "description": "Whether it is suitable for children.",
    }});
    check("A park that is suitable for kids", "find_park", &park, &[], &[json!({"good_for_kids": "True"})]);
    check("A park that is not good for kids", "find_park", &park, &[], &[json!({"good_for_kids": "False"})]);
    check("A park without any kids", "find_park", &park, &[], &[json!({})]);
}

#[test]
fn a_date_told_from_today_is_written_where_a_form_is_asked_for() {
    let formed = json!({"date": {"type": "string", "description": "The day, as YYYY-MM-DD."}});
    let free = json!({"date": {"type": "string"}});
    let text = "Today is March 1st, 2023. Book a table for tomorrow";
    check(text, "book_table", &formed, &["date"], &[json!({"date": "2023-03-02"})]);
    check("Book a table for tomorrow", "book_table", &free, &["date"], &[json!({"date": "tomorrow"})]);
    check("Book a table for today", "book_table", &formed, &[], &[json!({})]);
}

#[test]
fn what_is_not_said_is_left_out_or_missing() {
    let weather = json!({"city": {"type": "string"}, "days": {"type": "integer"}, "alerts": {"type": "boolean"}});
    check("What is the weather in Lima?", "get_weather", &weather, &["city"], &[json!({"city": "Lima"})]);
    let missing = filled("What is the weather in Lima?", "get_weather", "", &weather, &["city", "days"]);
    assert_eq!((missing.calls, missing.missing), (Vec::<Map<String, Value>>::new(), vec!["days".to_owned()]));
}

#[test]
fn several_of_a_kind_are_several_calls_and_a_list_is_one() {
    let weather = json!({"city": {"type": "string"}});
    check(
        "Tell me the weather in Berlin and Paris",
        "get_weather",
        &weather,
        &["city"],
        &[json!({"city": "Berlin"}), json!({"city": "Paris"})],
    );
    let mean = json!({"numbers": {"type": "array", "items": {"type": "number"}}});
    check("The mean of 3, 4 and 5.5", "mean", &mean, &["numbers"], &[json!({"numbers": [3, 4, 5.5]})]);
}

#[test]
fn what_a_part_does_not_say_it_has_from_another_part() {
    let route = json!({"distance": {"type": "integer"}, "speed": {"type": "integer"}});
    check(
        "How long is a distance of 5 km at a speed of 20 km/h, then repeat with a speed of 30 km/h",
        "travel_time",
        &route,
        &["distance", "speed"],
        &[json!({"distance": 5, "speed": 20}), json!({"distance": 5, "speed": 30})],
    );
    let house = json!({"city": {"type": "string"}, "size": {"type": "integer"}});
    check(
        "The price of a house of size 3000 in Denver and 4000 in Miami",
        "house_price",
        &house,
        &["city", "size"],
        &[json!({"city": "Denver", "size": 3000}), json!({"city": "Miami", "size": 4000})],
    );
}

#[test]
fn words_that_may_mean_anything_make_no_call_beside_a_value() {
    let film = json!({"film_name": {"type": "string"}});
    check(
        "I want to know more of the film 'Titanic'. Tell me its year, cast and plot.",
        "get_film",
        &film,
        &["film_name"],
        &[json!({"film_name": "Titanic"})],
    );
}

#[test]
fn what_the_description_names_as_an_example_is_found_among_other_words() {
    let fish = json!({"kind": {"type": "string", "description": "The kind (e.g., tuna, manta ray, pike)"}});
    check(
        "I need help with controlling a manta ray robot",
        "control_robot",
        &fish,
        &["kind"],
        &[json!({"kind": "manta ray"})],
    );
}

#[test]
fn codes_are_told_from_the_words_beside_them() {
    let account = json!({"account_id": {"type": "string"}});
    check(
        "Check the status of my account ID nLeHtozupOR",
        "get_status",
        &account,
        &["account_id"],
        &[json!({"account_id": "nLeHtozupOR"})],
    );
}

#[test]
fn a_list_of_what_may_be_named_is_no_form_of_a_place() {
    let of = |about: &str| json!({"location": {"type": "string", "description": about}});
    let text = "Find a hotel in Denver";
    let (listed, formed) = (of("Where (e.g., city, state, country)"), of("Where, as City, State"));
    check(text, "find_hotel", &listed, &["location"], &[json!({"location": "Denver"})]);
    check(text, "find_hotel", &formed, &["location"], &[json!({"location": "Denver, CO"})]);
}

#[test]
fn what_stands_behind_a_preposition_speaks_of_what_comes_next() {
    let entity = json!({"name": {"type": "string", "description": "The name of the entity"}, "entityType": {"type": "string", "description": "The type of the entity"}});
    check(
        "Create an entity called Ada of type person",
        "create_entity",
        &entity,
        &["name", "entityType"],
        &[json!({"name": "Ada", "entityType": "person"})],
    );
}

#[test]
fn parameters_inside_parameters_are_filled() {
    let order =
        json!({"item": {"type": "object", "required": ["count"], "properties": {"count": {"type": "integer"}}}});
    check("Order an item, count 4", "order", &order, &["item"], &[json!({"item": {"count": 4}})]);
}

fn schemas() -> impl Strategy<Value = Value> {
    let word = "[a-z_]{1,12}";
    let text = "[ -~é—，]{0,60}";
    let leaf = prop_oneof![
        (text, any::<bool>()).prop_map(|(about, short)| {
            let mut schema = json!({"type": "string", "description": about});
            if short {
                schema["maxLength"] = json!(7);
            }
            schema
        }),
        text.prop_map(|about| json!({"type": "integer", "minimum": 2, "maximum": 1000, "description": about})),
        text.prop_map(|about| json!({"type": ["number", "null"], "description": about})),
        Just(json!({"type": "boolean"})),
        Just(json!({})),
        Just(json!({"type": "string", "pattern": "^[A-Z]{2}"})),
        prop::collection::vec(word, 1..4).prop_map(|options| json!({"type": "string", "enum": options})),
        prop::collection::vec(0..9, 1..4).prop_map(|options| json!({"type": "integer", "enum": options})),
    ];
    leaf.prop_recursive(2, 12, 4, move |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "maxItems": 3})),
            prop::collection::btree_map(word, inner, 0..4)
                .prop_map(|fields| json!({"type": "object", "properties": fields, "required": fields.keys().take(2).collect::<Vec<_>>()})),
        ]
    })
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,9}",
        "[A-Z][a-z]{1,8}",
        "[0-9]{1,5}(\\.[0-9]{1,2})?%?",
        "\\PC{0,6}",
        "\"[a-z ]{0,9}\"",
        Just("and".to_owned()),
        Just(", ".to_owned()),
        Just(". ".to_owned()),
        Just("March 5th, 2024".to_owned()),
        Just("[1, 2, 3]".to_owned()),
        Just("5pm".to_owned()),
        Just("$5 million".to_owned()),
        Just("for Berlin".to_owned()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_and_no_schema_panics_and_every_value_is_one_the_schema_takes(
        text in texts(),
        fields in prop::collection::btree_map("[a-z_]{1,10}", schemas(), 0..6),
    ) {
        let required: Vec<&String> = fields.keys().take(3).collect();
        let found = filled(&text, "make_thing", "Makes a thing, e.g. 'big' or small.", &json!(fields), &required.iter().map(|name| name.as_str()).collect::<Vec<_>>());
        for call in &found.calls {
            for (name, value) in call {
                let validator = jsonschema::validator_for(&fields[name]).expect("a schema");
                prop_assert!(validator.is_valid(value), "{name} of {text:?}: {value} is none of {}", fields[name]);
            }
        }
    }
}

/// A tool that sends a mail.
fn mail() -> ToolDefinition {
    let text = json!({"type": "string"});
    let parameters = json!({"type": "object", "properties": {"to": text, "subject": text, "body": text}, "required": ["to", "subject", "body"]});
    ToolDefinition { risk: Risk::Execute, ..tool("email_send", "Send an email.", parameters) }
}

#[test]
fn what_came_before_stands_where_a_text_is_wanted() {
    let request = Request::heedful("Send it to ada@example.org via email with the subject Ticket");
    let filled = calls_in(&request, request.whole(), &mail());
    let wanted = json!({"to": "ada@example.org", "subject": "Ticket", "body": EARLIER});
    assert_eq!(filled.missing, Vec::<String>::new());
    assert_eq!(json!(filled.calls), json!([wanted]));
}

#[test]
fn what_merely_remains_is_no_text() {
    for text in ["Send a text message to Bob's phone", "Email Bob about lunch", "send an email with the report of Ada"]
    {
        let request = Request::heedful(text);
        let filled = calls_in(&request, request.whole(), &mail());
        assert!(filled.calls.is_empty() && filled.said.is_empty(), "{text}: {:?} {:?}", filled.calls, filled.said);
    }
}
