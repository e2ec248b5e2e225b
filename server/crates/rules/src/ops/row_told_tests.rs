//! Rows that are told: which column each value finds, and what is not written.

use serde_json::{Map, Value, json};

use super::*;

fn added(path: &str, text: &str, request: &str) -> Result<String, String> {
    let values: Map<String, Value> = json!({ "request": request }).as_object().cloned().unwrap_or_default();
    let edited = add_told_row(path, text, &Slots::of(&values))?;
    Ok(edited.text.strip_prefix(text).unwrap_or(&edited.text).trim_end().to_owned())
}

const MEMBERS: &str = "id,name,email,type,joined,dues_paid\n\
    M001,Henrik Aas,henrik.aas@example.org,full,2014-09-03,yes\n\
    M003,Peter Nowak,p.nowak@example.com,senior,2015-02-11,no\n\
    M009,Lena Brandt,lena.brandt@example.org,junior,2019-04-12,yes\n\
    M011,Ruth Adeyemi,ruth.adeyemi@example.com,senior,2024-10-18,yes\n";
const PLAYERS: &str = "id,name,instrument,joined,subs,phone\n\
    P01,Ken Holt,tenor horn,2009-09-01,yes,07700 900101\n\
    P02,Joan Carr,cornet,2012-01-17,yes,07700 900713\n\
    P03,Gwen Ash,cornet,2015-03-10,no,07700 900122\n";
const SINGERS: &str = "name,voice,joined,email,phone,dues\n\
    Zoe Thornbury,alto,2024-09-03,zoe.t@example.org,07700 900549,paid\n\
    Graham Tidy,tenor,1999-09-07,,01865 555 291,unpaid\n\
    Jenny O'Hara,alto,2022-09-06,jenny.ohara@example.com,,unpaid\n\
    Ada Lee,soprano,2022-09-06,ada@example.com,07700 900111,unpaid\n";
const HARVEST: &str = "date,plot,what,kg\n2026-10-03,A2,beans,0.8\n2026-10-04,B3,kale,5.0\n2026-10-04,A2,kale,2.0\n";
const FUND: &str = "date;what;in;out\n12.11.2026;cake sale;31,00;\n19.11.2026;copies;;7,35\n";
const REPAIRS: &str = "id,date,flat,what,who,cost,status\n\
    R7,2026-10-02,2,door jams,Joiner Lutz,40.00,done\n\
    R8,2026-10-21,4,radiator stays cold,Heizung Kolb,75.00,open\n";

#[test]
fn each_value_finds_its_column() {
    for (path, text, request, row) in [
        (
            "members.csv",
            MEMBERS,
            "New member: Tom Varga, tom.varga@example.org, junior, joined 2025-05-02, hasn't paid yet. Id is M025.",
            "M025,Tom Varga,tom.varga@example.org,junior,2025-05-02,no",
        ),
        (
            "members.csv",
            MEMBERS,
            "please add a new member to the member list: M012, Tom Varga, tom.varga@example.org, junior, 2 May 2025, paid",
            "M012,Tom Varga,tom.varga@example.org,junior,2025-05-02,yes",
        ),
        (
            "players.csv",
            PLAYERS,
            "new player: Ellie Marsh, tenor horn, joined 4 march 2025, subs not paid, phone 07700 900268",
            "P04,Ellie Marsh,tenor horn,2025-03-04,no,07700 900268",
        ),
        (
            "members.csv",
            SINGERS,
            "We have a new singer!! Nadia Petrov, soprano, joined 2025-04-01, nadia.p@example.org, she has no phone, dues \
             unpaid. Thank you for entering her to the members.",
            "Nadia Petrov,soprano,2025-04-01,nadia.p@example.org,,unpaid",
        ),
        (
            "harvest.csv",
            HARVEST,
            "new line for the harvest table: 11 oct 2026, plot A2, okra, 1.9 kilo",
            "2026-10-11,A2,okra,1.9",
        ),
        (
            "budget/class_fund.csv",
            FUND,
            "class fund, new line: 24.11.2026, chalk, we paid 3,20",
            "24.11.2026;chalk;;3,20",
        ),
        (
            "repairs.csv",
            REPAIRS,
            "Please enter a new repair: R9, 2026-11-20, flat 5, toilet runs, Pipeworks Adair, 68.00, open",
            "R9,2026-11-20,5,toilet runs,Pipeworks Adair,68.00,open",
        ),
    ] {
        assert_eq!(added(path, text, request).as_deref(), Ok(row), "{request}");
    }
}

#[test]
fn what_has_no_certain_place_is_not_written() {
    for (path, text, request) in [
        // Another table, a column that all other rows have, a number that is there already.
        ("harvest.csv", HARVEST, "new member: Tom Varga, tom.varga@example.org, junior, joined 2025-05-02, unpaid"),
        (
            "members.csv",
            MEMBERS,
            "new member: Tom Varga, tom.varga@example.org, junior, joined 2025-05-02. Id is M025.",
        ),
        (
            "members.csv",
            MEMBERS,
            "new member: Tom Varga, tom.varga@example.org, junior, joined 2025-05-02, paid. Id is M009.",
        ),
        ("members.csv", MEMBERS, "new member: Tom Varga, tom.varga@example.org, junior, joined 2025-05-02, paid"),
        // A value too many, or none that is certain.
        (
            "players.csv",
            PLAYERS,
            "new player: Ellie Marsh, tenor horn, joined 2025-03-04, subs not paid, phone 07700 900268, left-handed",
        ),
        (
            "players.csv",
            PLAYERS,
            "new player: Ellie Marsh, tenor horn, joined maybe 2025-03-04, subs not paid, phone 07700 900268",
        ),
        (
            "players.csv",
            PLAYERS,
            "new player: Ellie Marsh, tenor horn, joined 2025-03-04 or 2025-03-05, subs not paid, phone 07700 900268",
        ),
        ("players.csv", PLAYERS, "new player: Ellie Marsh, joined 2025-03-04, subs not paid, phone 07700 900268"),
        ("class_fund.csv", FUND, "class fund, new line: 24.11.2026, chalk, 3,20"),
        ("repairs.csv", REPAIRS, "new repair: 2026-11-20, Pipeworks Adair, toilet runs, flat 5, 68.00, open"),
    ] {
        assert!(added(path, text, request).is_err(), "{request}: {:?}", added(path, text, request));
    }
}

#[test]
fn what_tells_no_row_is_none() {
    for request in [
        "is there a new member: Tom, junior?",
        "new member: Tom",
        "add milk, eggs and bread to the shopping list",
        "how many new members: junior, senior, full?",
    ] {
        assert!(!tells_row(request), "{request}");
    }
}
