//! Claims about values in settings files.

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;

fn edited(name: &str, path: &str, text: &str, slots: Value) -> Result<String, String> {
    let slots: Map<String, Value> = serde_json::from_value(slots).expect("an object");
    let (_, edit) = EDITS.iter().find(|(own, _)| *own == name).expect("there is such an edit");
    edit(path, text, &Slots::of(&slots)).map(|edited| edited.text).map_err(String::from)
}

const JSON: &str = "{\n  \"name\": \"x\",\n  \"server\": { \"port\": 80, \"host\": \"a\" },\n  \"tags\": [1, 2]\n}\n";
const TOML: &str = "name = \"x\" # its name\n\n[server]\nport = 80\n\n[db]\nport = 5432\n";

#[test]
fn only_the_value_changes() {
    let set = |key: &str, value: Value| json!({"key": key, "value": value});
    let json = edited("set_value", "c.json", JSON, set("server port", 8080.into()));
    assert_eq!(json.as_deref(), Ok(JSON.replace("80,", "8080,").as_str()));
    let name = edited("set_value", "c.toml", TOML, set("name", "2.0".into()));
    assert_eq!(name.as_deref(), Ok(TOML.replace("\"x\"", "\"2.0\"").as_str()));
    let port = edited("set_value", "c.toml", TOML, set("db.port", 1.into()));
    assert_eq!(port.as_deref(), Ok(TOML.replace("5432", "1").as_str()));
    assert_eq!(
        edited("set_value", ".env", "A=1\r\nB='x'\r\n", set("b", "y".into())).as_deref(),
        Ok("A=1\r\nB='y'\r\n")
    );
    let yaml = "a:\n  b: 1 # one\n  c: off\nd: text\n";
    assert_eq!(edited("set_value", "c.yml", yaml, set("a.b", 2.into())), Ok(yaml.replace("1 #", "2 #")));
}

#[test]
fn what_is_not_there_or_not_clear_or_not_of_its_kind_is_left_alone() {
    let set = |key: &str, value: Value| json!({"key": key, "value": value});
    assert!(edited("set_value", "c.toml", TOML, set("port", 1.into())).unwrap_err().contains("Which one?"));
    assert!(edited("set_value", "c.toml", TOML, set("prot", 1.into())).unwrap_err().contains("no `prot`"));
    assert!(edited("set_value", "c.json", JSON, set("server.port", "abc".into())).unwrap_err().contains("a number"));
    assert!(edited("set_value", "c.json", JSON, set("server", "abc".into())).unwrap_err().contains("group"));
    assert!(edited("set_value", "a.txt", "just words\n", set("a", 1.into())).is_err());
}

#[test]
fn keys_come_and_go() {
    let removed = edited("remove_key", "c.json", JSON, json!({"key": "tags"})).expect("it is there");
    assert_eq!(serde_json::from_str::<Value>(&removed).expect("JSON").get("tags"), None);
    let removed = edited("remove_key", "c.json", JSON, json!({"key": "name"})).expect("it is there");
    assert_eq!(serde_json::from_str::<Value>(&removed).expect("JSON").get("name"), None);
    let added = edited("add_key", "c.json", JSON, json!({"key": "server.tls", "value": true})).expect("it is new");
    assert_eq!(serde_json::from_str::<Value>(&added).expect("JSON")["server"]["tls"], true);
    let added = edited("add_key", "c.toml", TOML, json!({"key": "server.tls", "value": "on"}));
    assert_eq!(added, Ok(TOML.replace("port = 80\n", "port = 80\ntls = \"on\"\n")));
    let version = edited("bump_version", "c.toml", "version = \"1.2.3\"\n", json!({"part": "minor"}));
    assert_eq!(version.as_deref(), Ok("version = \"1.3.0\"\n"));
}

proptest! {
    #[test]
    fn json_stays_json_when_a_value_is_set(port in 0_u16.., name in "[a-z\"\\\\]{0,8}") {
        let text = serde_json::to_string_pretty(&json!({"name": name, "in": {"port": 1, "list": [name, {"x": null}]}})).expect("JSON");
        let set = edited("set_value", "c.json", &text, json!({"key": "in.port", "value": port}));
        prop_assume!(port != 1);
        let set: Value = serde_json::from_str(&set.expect("it is there")).expect("JSON");
        prop_assert_eq!(&set["in"]["port"], &json!(port));
        prop_assert_eq!(&set["name"], &json!(name));
    }

    #[test]
    fn no_text_ends_it(text in "[a-c:=\\[\\]{}\", #\\n-]{0,40}", path in "c\\.(json|toml|yml|ini)") {
        if let Ok(settings) = Settings::of(&path, &text) {
            for entry in &settings.entries {
                let _value = settings.value(entry);
            }
        }
    }
}

#[test]
fn only_what_a_file_lacks_may_be_in_another_one() {
    let is_absent = |path: &str, text: &str, key: &str| {
        let slots = Map::from_iter([("key".to_owned(), key.into()), ("value".to_owned(), "abc".into())]);
        matches!(set_value(path, text, &Slots::of(&slots)).expect_err("nothing is changed"), Unmade::Absent(_))
    };
    assert!(is_absent("c.toml", TOML, "prot") && is_absent("c.json", JSON, "the prot"));
    assert!(is_absent("note.md", "See you at noon.\n", "port"));
    assert!(!is_absent("c.toml", TOML, "port") && !is_absent("c.toml", TOML, "the port"));
    assert!(!is_absent("c.json", JSON, "server.port") && !is_absent("c.json", "{", "port"));
}

#[test]
fn names_in_code_and_directives_get_other_values() {
    let set = |path: &str, text: &str, key: &str, value: Value| {
        edited("set_value", path, text, json!({"key": key, "value": value}))
    };
    let c = "#define CAP 16\nint a[CAP];\n";
    assert_eq!(set("a.h", c, "CAP", 64.into()), Ok(c.replace("16", "64")));
    let python = "import os\nDRY_RUN = True  # no harm\nx = f(DRY_RUN)\n";
    assert_eq!(set("a.py", python, "dry_run", false.into()), Ok(python.replace("True", "False")));
    let nginx = "http {\n    server_tokens on;\n}\n";
    assert_eq!(set("n.conf", nginx, "server_tokens", false.into()), Ok(nginx.replace("on;", "off;")));
    assert!(set("a.py", python, "x", 1.into()).unwrap_err().contains("no plain value"));
    assert!(set("a.py", "import os\nn = 1\nn = 2\n", "n", 3.into()).unwrap_err().contains("Which one?"));
}

#[test]
fn a_list_on_several_lines_gets_an_item_and_keeps_its_commas() {
    let before = "[project]\nname = \"x\"\ndependencies = [\n    \"a>=1\",\n    \"b\",\n]\n\n[tool]\nn = 1\n";

    let after = edited("add_item", "p.toml", before, json!({"key": "project.dependencies", "value": "c>=2"}));

    assert_eq!(after, Ok(before.replace("    \"b\",\n", "    \"b\",\n    \"c>=2\",\n")));
}
