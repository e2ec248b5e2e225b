//! Items of lists: which one is meant, and what is left alone.

use serde_json::{Value, json};

use super::*;

const TODO: &str = "# Moving list\n\n## Before\n\n- [x] give notice\n- [ ] call the plumber\n- [ ] scan the receipts of October\n\n## After\n\n- [ ] fix the doorbell\n";

fn edit(edit: Edit, path: &str, text: &str, values: &Value) -> Result<String, String> {
    let values = values.as_object().cloned().unwrap_or_default();
    edit(path, text, &Slots::of(&values)).map(|edited| edited.text).map_err(String::from)
}

#[test]
fn an_item_is_ticked_by_what_is_told_of_it() {
    for (about, item) in [
        ("i called the plumber", "[ ] call the plumber"),
        ("scanned all the october receipts", "[ ] scan the receipts of October"),
        ("scanned the october receipts", "[ ] scan the receipts of October"),
        ("the doorbell", "[ ] fix the doorbell"),
        ("i did not call the plumber", ""),
        ("called the plumber and the movers", ""),
        ("gave notice", ""),
    ] {
        let ticked = edit(tick_about, "todo.md", TODO, &json!({ "about": about }));
        match item {
            "" => assert!(ticked.is_err(), "{about}: {ticked:?}"),
            item => assert_eq!(ticked, Ok(TODO.replace(item, &item.replace("[ ]", "[x]"))), "{about}"),
        }
    }
}

#[test]
fn items_are_taken_off_the_list_that_is_meant() {
    let list = "pH electrode\ngloves size M\nBuffer pH 10\nparafilm";
    let take = |about: &str, place: &str| {
        let values = json!({ "about": about, "where": place, "nouns": ["list"] });
        edit(take_out, "notes/order-list.txt", list, &values)
    };

    assert_eq!(take("parafilm and the gloves", "order list").as_deref(), Ok("pH electrode\nBuffer pH 10\n"));
    assert!(take("parafilm and the tips", "order list").is_err());
    assert!(take("parafilm", "shopping list").is_err());
    assert!(take("pH", "list").is_err());
}

#[test]
fn what_is_put_on_a_list_becomes_an_item_of_it() {
    let put = |values: Value| edit(put_on_list, "todo.md", TODO, &values);

    let before = TODO.replace("October\n", "October\n- [ ] buy bulbs\n");
    assert_eq!(put(json!({"content": "buy bulbs", "where": "moving list", "section": "Before"})), Ok(before));
    let end = format!("{TODO}- [ ] buy bulbs\n");
    assert_eq!(put(json!({"content": "buy bulbs", "where": "to do list", "nouns": ["list"]})), Ok(end));
    assert!(put(json!({"content": "buy bulbs", "section": "Later"})).is_err());
    assert!(put(json!({"content": "buy bulbs", "where": "shopping list", "nouns": ["list"]})).is_err());
}

#[test]
fn two_items_change_places_if_each_is_one_whole_item() {
    let swap =
        |text: &str, one: &str, other: &str| edit(swap_items, "plan.md", text, &json!({ "one": one, "other": other }));
    let plan = "Front: Jarvis, Egan\nBack: Khan, Rossi\n";

    assert_eq!(swap(plan, "rossi", "Jarvis").as_deref(), Ok("Front: Rossi, Egan\nBack: Khan, Jarvis\n"));
    assert_eq!(swap("| 1 | Ann |\n| 2 | Bo |\n", "Ann", "Bo").as_deref(), Ok("| 1 | Bo |\n| 2 | Ann |\n"));
    for (text, why) in [
        ("Front: Ella Jarvis, Egan, Rossi\n", "within other words"),
        ("Front: Jarvis, Rossi\nBack: Rossi\n", "2 times"),
        ("Front: Jarvis, Egan\n", "is not in"),
    ] {
        let refused = swap(text, "Jarvis", "Rossi");
        assert!(refused.as_ref().is_err_and(|said| said.contains(why)), "{text}: {refused:?}");
    }
    assert!(swap(plan, "Jarvis", "jarvis").is_err());
}
