//! What counts as an answer that stands in a text, and what does not.

use super::*;

/// What answers, or is near, as it is told.
fn look_up(texts: &[(&str, &str)], words: &str) -> Result<Vec<String>, Vec<String>> {
    let sought =
        |word: &str| Sought { word: word.trim_end_matches('!').to_owned(), weight: 1.0, needed: word.ends_with('!') };
    let sought: Vec<Sought> = words.split(' ').map(sought).collect();
    let outlines: Vec<Outline<'_>> = texts.iter().map(|(path, text)| Outline::of(path, text)).collect();
    let told = |passages: Vec<Passage>| -> Vec<String> {
        passages.iter().map(|passage| outlines[passage.of].told(&passage.lines)).collect()
    };
    Demands::default().chosen(Search::of(&sought, &outlines).found()).map(told).map_err(told)
}

fn check(path: &str, text: &str, words: &str, expected: &[&str]) {
    let found = look_up(&[(path, text)], words);
    assert_eq!(found.unwrap_or_default(), expected, "{words:?}");
}

#[test]
fn the_smallest_part_that_has_all_words_is_shown_under_its_headings() {
    let house = "# House\n\n## Heating\nengineer: Ivo Petrak\ncode 77\n\n## Lift\nengineer: Lea Brandt\n";
    check("notes/house.md", house, "engineer heating", &["1: # House\n3: ## Heating\n4: engineer: Ivo Petrak"]);
    check("notes/house.md", house, "lift", &["1: # House\n7: ## Lift\n8: engineer: Lea Brandt"]);
    check("notes/house.md", house, "lift! heating!", &[]);
}

#[test]
fn the_path_stands_over_all_of_a_text_and_indentation_over_what_is_deeper() {
    check("wifi.txt", "home: blue\nguests: green", "wifi guests", &["2: guests: green"]);
    check(
        "stack.yml",
        "web:\n  ports:\n    - 80\ndb:\n  ports:\n    - 5432",
        "db ports",
        &["4: db:\n5:   ports:\n6:     - 5432"],
    );
    check("firms.txt", "Rohrmax, plumbing, 0800 5\nKern, painting", "plumber", &["1: Rohrmax, plumbing, 0800 5"]);
    check("soup.txt", "Salt\nWater", "soup", &["1: Salt\n2: Water"]);
}

#[test]
fn an_object_of_a_list_is_told_as_a_whole() {
    let firms = "[\n  {\n    \"name\": \"Dairy\",\n    \"days\": \"mon\"\n  },\n  {\n    \"name\": \"Mill\",\n    \"days\": \"fri\"\n  }\n]";
    let dairy = "1: [\n2:   {\n3:     \"name\": \"Dairy\",\n4:     \"days\": \"mon\"";
    check("firms.json", firms, "dairy", &[dairy]);
    check("firms.json", firms, "dairy days", &[dairy]);
    check("firms.json", firms, "dairy! fri!", &[]);
}

#[test]
fn a_row_is_shown_with_its_columns_and_a_whole_table_is_no_answer() {
    let keys = "room,holder\nattic,Noa\ncellar,Kim\n";
    check("keys.csv", keys, "attic holder", &["1: room,holder\n2: attic,Noa"]);
    check("keys.csv", keys, "keys", &[]);
}

#[test]
fn other_words_find_it_where_nothing_else_comes_near() {
    let harbour =
        "# Harbour\n\n## Fuel\n\nDiesel is sold on Saturdays. Ask for Brynn.\n\n## Crane\n\nIt lifts 6 tonnes.\n";
    let fuel = "1: # Harbour\n3: ## Fuel\n5: Diesel is sold on Saturdays. Ask for Brynn.";
    check("README.md", harbour, "sells fuel", &[fuel]);
    check("README.md", harbour, "buys fuel", &[fuel]);
}

#[test]
fn what_lacks_too_much_or_is_one_of_several_is_only_near() {
    let ports = "web:\n  port: 80\ndb:\n  port: 5432";
    let near = look_up(&[("stack.yml", ports)], "worker web port");
    assert_eq!(near, Err(vec!["1: web:\n2:   port: 80".to_owned()]));
    let clients = [("clients.csv", "name,town\nFenland Cycles,Holtby\n")];
    assert_eq!(
        look_up(&clients, "iban! fenland cycles"),
        Err(vec!["1: name,town\n2: Fenland Cycles,Holtby".to_owned()])
    );
    assert_eq!(look_up(&clients, "frobnicate gizmo"), Err(Vec::new()));
}

#[test]
fn of_a_row_the_columns_are_told_that_were_asked_for() {
    let rota = "week,mon,fri\n48,Sefa,Marek\n49,Ritu,Jonas\n";
    let outline = Outline::of("rota.csv", rota);
    let has = |words: &'static [&'static str]| move |text: &str| words.contains(&text);
    assert_eq!(outline.cells(1, false, has(&["week", "48", "fri"])).as_deref(), Some("1: week, fri\n2: 48, Marek"));
    assert_eq!(outline.cells(1, false, has(&["week", "48"])), None);
    assert_eq!(outline.cells(0, false, has(&["week"])), None);
}
