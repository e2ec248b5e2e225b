//! Values in the form of those that they replace.

use super::*;

fn shown(text: &str) -> Vec<String> {
    tokens(text).into_iter().map(|token| text[token.span].to_owned()).collect()
}

#[test]
fn values_are_found_and_parts_of_names_are_none() {
    for (text, expected) in [
        ("wind alarm at 32 knots", vec!["32"]),
        ("KP-02 of week-47 in v4l and x86_64", vec![]),
        ("pillow==10.4.0, redis:7.2", vec!["10.4.0", "7.2"]),
        ("mem_limit: 768m", vec!["768m"]),
        ("on 6 December, not the 5th", vec!["6 December", "5th"]),
        ("O-1053 on 2026-11-20 at 07:30", vec!["2026-11-20", "07:30"]),
        ("ring 0555 310 77 or duty@kestrel.example", vec!["0555 310 77", "duty@kestrel.example"]),
        ("--accent: #2a6f97;", vec!["#2a6f97"]),
        ("10.20.0.21 and 19,50", vec!["10.20.0.21", "19,50"]),
        ("the 2nd-hand shop", vec![]),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn a_new_value_takes_the_form_of_the_old_one() {
    let written = |new: &str, unit: Option<&str>, old: &str, own: Option<&str>| {
        let (kind, old_kind) = (kind_of(new), kind_of(old));
        let sign = decimal_sign(old).unwrap_or('.');
        in_form(new, &kind, unit, &Form { text: old, kind: &old_kind, unit: own, sign }, false)
    };
    for (new, unit, old, own, expected) in [
        ("60", Some("s"), "45", Some("S"), Some("60")),
        ("45", Some("seconds"), "30000", Some("ms"), Some("45000")),
        ("25000", Some("grams"), "20", Some("kg"), Some("25")),
        ("90", Some("seconds"), "45s", None, Some("90s")),
        ("1024m", None, "768m", None, Some("1024m")),
        ("19,50", None, "18,50", None, Some("19,50")),
        ("19.5", None, "18,50", None, Some("19,50")),
        ("65", None, "60.00", None, Some("65.00")),
        ("5", Some("kg"), "5", Some("days"), None),
        ("30", Some("days"), "12", None, None),
        ("v0.30.0", None, "v0.29.0", None, Some("v0.30.0")),
        ("6 December", None, "5 December 2026", None, Some("6 December 2026")),
        ("2026-12-06", None, "05.12.2026", None, Some("06.12.2026")),
        ("8:15", None, "07:30", None, Some("08:15")),
        ("off", None, "True", None, Some("False")),
        ("10.0.0.5", None, "12", None, None),
        ("duty@kestrel.example", None, "ops@kestrel.example", None, Some("duty@kestrel.example")),
    ] {
        assert_eq!(written(new, unit, old, own).as_deref(), expected, "{new} for {old}");
    }
}
