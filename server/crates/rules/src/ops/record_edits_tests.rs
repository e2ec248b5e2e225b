//! Records: which one is meant, and what is left alone.

use serde_json::{Map, json};

use super::*;

const INVOICES: &str =
    "no,client,net,paid\n26-047,Marrow,890,yes\n26-048,\"Oddfellow, R\",436.75,no\n26-049,Marrow,10,no\n";
const BOXES: &str = "{\n  \"boxes\": [\n    { \"pos\": \"B1\", \"owner\": \"Ritu\" },\n    { \"pos\": \"B2\", \"owner\": \"Marek\" }\n  ]\n}\n";

#[test]
fn a_record_is_named_by_what_only_it_has() {
    let set = |path: &str, text: &str, about: &str, key: Option<&str>, value: &str| {
        set(path, text, about, key, &json!(value), &Slots::of(&Map::new())).map(|edited| edited.text)
    };
    for (about, key, value, expected) in [
        ("26-048 came in today", None, "paid", INVOICES.replace("436.75,no", "436.75,yes")),
        ("the invoice of Oddfellow, R", Some("net"), "12.5", INVOICES.replace("436.75", "12.5")),
        ("26-049", Some("client"), "Oddfellow, R", INVOICES.replace("26-049,Marrow", "26-049,\"Oddfellow, R\"")),
    ] {
        assert_eq!(set("2026.csv", INVOICES, about, key, value), Ok(expected), "{about}");
    }
    let moved = set("freezer.json", BOXES, "box B2", Some("owner"), "Ritu");
    assert_eq!(moved, Ok(BOXES.replace("Marek", "Ritu")));
}

#[test]
fn what_may_be_another_record_is_left() {
    for (about, value, why) in [
        ("Marrow", "paid", "fits 2 rows"),
        ("26-050 came in", "paid", "There is no `26-050"),
        ("26-048 for Marrow", "paid", "fits 3 rows"),
        ("26-048 and 26-077", "paid", "not of the same row"),
        ("three of 26-048 came in", "paid", "not of the same row"),
        ("26-048", "shipped", "There is no column"),
        ("26-047", "paid", "already"),
    ] {
        let said = set("2026.csv", INVOICES, about, None, &json!(value), &Slots::of(&Map::new()))
            .map_err(String::from)
            .expect_err("nothing is changed");
        assert!(said.contains(why), "{about}: {said}");
    }
}

#[test]
fn a_record_is_taken_out_with_its_comma_or_its_line() {
    let removed = |path: &str, text: &str, about: &str| remove(path, text, about).map(|edited| edited.text);

    let gear = "id,item\nE1,Binoculars 7x50\nE2,Binoculars 10x50\n";
    let kept = "id,item\nE2,Binoculars 10x50\n";
    assert_eq!(removed("gear.csv", gear, "7x50 binoculars went in the bin").as_deref(), Ok(kept));
    let rows = "no,client,net,paid\n26-047,Marrow,890,yes\n26-049,Marrow,10,no\n";
    assert_eq!(removed("2026.csv", INVOICES, "26-048").as_deref(), Ok(rows));
    let last = "{\n  \"boxes\": [\n    { \"pos\": \"B1\", \"owner\": \"Ritu\" }\n  ]\n}\n";
    assert_eq!(removed("freezer.json", BOXES, "Marek threw out box B2").as_deref(), Ok(last));
    let first = "{\n  \"boxes\": [\n    { \"pos\": \"B2\", \"owner\": \"Marek\" }\n  ]\n}\n";
    assert_eq!(removed("freezer.json", BOXES, "box B1").as_deref(), Ok(first));
}

const PLAYERS: &str = "id,name,subs,shirt_paid\nP08,Marion Jones,no,no\nP09,Martin Jones,no,no\nP10,Greta Holm,no,no\n";

#[test]
fn a_part_of_a_name_names_the_one_who_is_called_so() {
    let set = |about: &str, value: &str| {
        set("players.csv", PLAYERS, about, None, &json!(value), &Slots::of(&Map::new())).map(|edited| edited.text)
    };
    assert_eq!(set("holm", "paid"), Ok(PLAYERS.replace("Greta Holm,no,no", "Greta Holm,no,yes")));
    assert_eq!(set("Greta Holm", "paid"), Ok(PLAYERS.replace("Greta Holm,no,no", "Greta Holm,no,yes")));
    let several = "There is no single row of `players.csv` that fits: `Marion Jones`, `Martin Jones`. Which one?";
    assert_eq!(set("jones has paid subs", "paid"), Err(Unmade::InPart(several.to_owned())));
    for about in ["the invoice of holm", "greta jones", "holm 7"] {
        assert_eq!(set(about, "paid"), Err(Unmade::not_in("players.csv", about)));
    }
}
