//! What is found, what is left alone, and that pieces give what the whole gives.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Made from parts, so that nobody takes this file for a leak.
fn samples() -> Vec<(&'static str, String)> {
    let random = "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2zA4bC6dE8fG0hI2jK4lM6nO8pQ0r";
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    vec![
        ("AWS access key", format!("AKIA{}", "IOSFODNN7EXAMPLE")),
        ("AWS secret key", format!("aws_secret_access_key = {}", &random[..40])),
        ("GitHub token", format!("ghp_{}", &random[..36])),
        ("GitHub token", format!("github_pat_{}", &random[..40])),
        ("GitLab token", format!("glpat-{}", &random[..20])),
        ("Slack token", format!("xoxb-{}", "123456789012-abcdefABCDEF")),
        ("Stripe key", format!("sk_live_{}", &random[..24])),
        ("Google key", format!("AIza{}", &random[..35])),
        ("Anthropic key", format!("sk-ant-api03-{}", &random[..40])),
        ("OpenAI key", format!("sk-proj-{}", &random[..40])),
        ("access token", format!("npm_{}", &random[..36])),
        ("JSON web token", format!("eyJ{}.eyJ{}.{}", &random[..20], &random[..30], &random[..43])),
        ("private key", format!("-----BEGIN RSA PRIVATE KEY-----\n{body}\n{body}\n-----END RSA PRIVATE KEY-----")),
        ("private key", format!("-----BEGIN PRIVATE KEY-----\n{body}")),
        ("password", "postgres://ada:s3cr3t-Pa55@db.example.org/x".to_owned()),
        ("access token", format!("Authorization: Bearer {}", &random[..32])),
        ("secret", "password=hunter2".to_owned()),
        ("secret", "api_key: 'f3A9kQ27xLp0'".to_owned()),
        ("secret", "{\"clientSecret\":\"f3A9kQ27xLp0\"}".to_owned()),
        ("secret", "export DB_PASSWORD=\"Tr0ub4dor&3\"".to_owned()),
    ]
}

fn secret_of(sample: &str) -> String {
    let behind = sample.rsplit([' ', '=', '"', '\'']).find(|part| part.len() > 5).unwrap_or(sample);
    behind.to_owned()
}

#[test]
fn h04_secrets_of_every_format_are_marked() {
    for (kind, sample) in samples() {
        let text = format!("before {sample}");
        let redacted = redact(&text);
        assert!(redacted.contains(&format!("[redacted: {kind}]")), "{kind}: {redacted}");
        assert!(redacted.starts_with("before "), "{redacted}");
        assert_eq!(secret_in(&text), Some(kind), "{text}");
        if !matches!(kind, "password" | "private key") {
            assert!(!redacted.contains(&secret_of(&sample)), "{kind}: {redacted}");
        }
        assert_eq!(redact(&redacted), redacted, "a second time changes nothing");
    }
    let key = &samples()[12].1;
    assert_eq!(redact(&format!("a\n{key}\nb")), "a\n[redacted: private key]\nb");
    assert_eq!(redact("postgres://ada:s3cr3t@db/x"), "postgres://ada:[redacted: password]@db/x");
}

#[test]
fn the_quick_look_sees_every_format_also_in_json() {
    for (kind, sample) in samples() {
        let json = json!({ "text": format!("before\n{sample}") }).to_string();
        assert!(may_hold_secret(&sample) && may_hold_secret(&json), "{kind}");
    }
    assert!(may_hold_secret(r#"{"Password":"hunter2"}"#));
    assert!(!may_hold_secret(r#"{"type":"tool-call-end","tool":"calculator","preview":["6"],"success":true}"#));
}

#[test]
fn what_is_no_secret_is_left_alone() {
    for text in [
        "max_tokens: 1024, tokens=512",
        "let token = lexer.next_token();",
        "password: Option<Secret>,",
        "password = \"changeme1\"",
        "API_KEY=${API_KEY_2}",
        "secret: process.env.SECRET_1",
        "token: v1.2.3",
        "token = String::new()",
        "sk-learn-and-other-names-of-packages",
        "the password is long",
        "https://example.org:8080/a@b",
        "git@github.com:ada/notes.git",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "00000000-0000-4000-8000-000000000000",
        "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
        "key: value1, keyboard=qwerty12",
        "tokens/second: 12.5k",
        "password_file=/run/secrets/db1",
        "basic understanding of things",
        "eyJust a word",
    ] {
        assert_eq!(redact(text), text);
        assert_eq!(secret_in(text), None, "{text}");
    }
}

#[test]
fn values_are_searched_to_their_leaves_and_by_the_names_of_fields() {
    let token = samples()[2].1.clone();
    let mut value = json!({"a": [{"text": format!("x {token}")}], "password": "hunter2", "n": 1, "api_key": "short"});

    assert!(redact_json(&mut value));

    let redacted = json!({"a": [{"text": "x [redacted: GitHub token]"}], "password": "[redacted: secret]", "n": 1,
        "api_key": "short"});
    assert_eq!(value, redacted);
    assert!(!redact_json(&mut value));
}

fn in_pieces(text: &str, size: usize) -> String {
    let mut redactor = Redactor::default();
    let characters: Vec<char> = text.chars().collect();
    let mut out: String =
        characters.chunks(size).map(|piece| redactor.push(&piece.iter().collect::<String>())).collect();
    out.push_str(&redactor.finish());
    out
}

#[test]
fn h04_a_secret_that_comes_in_pieces_is_marked() {
    for (kind, sample) in samples() {
        let text = format!("first\n{sample}\nlast");
        for size in [1, 2, 3, 7, 20, 1000] {
            assert_eq!(in_pieces(&text, size), redact(&text), "{kind} in pieces of {size}");
        }
        // Baseline: whoever looks at each of two pieces by itself lets it through, if it is cut at the right place.
        let mut cut = (1..text.len()).map(|at| text.split_at(at));
        assert!(cut.any(|(one, other)| [redact(one), redact(other)].concat() == text), "{kind}");
    }
}

#[test]
fn h04_a_long_private_key_in_pieces_is_swallowed_whole() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n".repeat(500);
    let text = format!("first\n-----BEGIN PRIVATE KEY-----\n{body}-----END PRIVATE KEY-----\nlast");

    assert_eq!(in_pieces(&text, 1000), "first\n[redacted: private key]\nlast");
}

#[test]
fn text_that_is_no_secret_does_not_wait() {
    let mut redactor = Redactor::default();

    assert_eq!(redactor.push("10 % done"), "10 % done");
    assert_eq!(redactor.push("\nbegun"), "\nbegun");
    assert_eq!(redactor.push(" AKI"), " ");
    assert_eq!(redactor.push("X-1"), "AKIX-1");
    assert_eq!(redactor.push("\nit beg"), "\nit beg");
    assert_eq!(redactor.push("ins: ba"), "ins: ");
    assert_eq!(redactor.push("nana\n"), "banana\n");
}

proptest! {
    #[test]
    fn pieces_lose_nothing(text in "[a-zA-Z0-9 =:/_\n.\"-]{0,200}", size in 1_usize..20) {
        prop_assert_eq!(in_pieces(&text, size).is_empty(), redact(&text).is_empty());
    }

    #[test]
    fn the_quick_look_misses_nothing(
        name in "(password|db_pwd|apiKey|x|clientSecret)", sign in "[=: ]{1,2}", value in "[A-Za-z0-9+/_-]{6,60}",
        before in "(\n|-|://a:|bearer |sk-|hf_|AKIA|ghp_|npm_|glpat-|eyJ)?",
    ) {
        let mut value = json!({ &name: [format!("{name}{sign}{before}{value}")], "token": before + &value });
        let text = value.to_string();
        prop_assert!(!redact_json(&mut value) || may_hold_secret(&text));
    }

    #[test]
    fn nothing_is_too_strange(text in "\\PC{0,200}") {
        let _ = redact(&text);
    }
}

#[test]
fn the_log_is_redacted() {
    let mut written = Vec::new();
    let token = &samples()[2].1;

    RedactingWriter(&mut written).write_all(format!("WARN it said {token}\n").as_bytes()).expect("it is written");

    assert_eq!(String::from_utf8(written).expect("text"), "WARN it said [redacted: GitHub token]\n");
}
