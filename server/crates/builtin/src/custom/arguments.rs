//! The program and its arguments: which of them the call gives. An argument of the call is always an argument of the program
//! of its own, so that no value can become part of another one, or of a command line.

use std::path::Path;

use serde_json::{Map, Value};

/// One element of a `command`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Argument {
    /// As it stands there.
    Literal(String),
    /// A file beside the tool's own: `./weather.py`.
    Beside(String),
    /// The argument of this name; nothing if it is not given.
    Given(String),
    /// All of these, or nothing if one of them is not given.
    Group(Vec<Argument>),
}

/// Reads a `command` whose placeholders are among `names`.
///
/// # Errors
/// A placeholder that is part of an argument, or of no parameter; a program that is one.
pub(super) fn parse(command: &[Value], names: &Map<String, Value>) -> Result<Vec<Argument>, String> {
    let read = |element: &Value| match element {
        Value::Array(group) => {
            group.iter().map(|one| single(one, names)).collect::<Result<_, _>>().map(Argument::Group)
        }
        one => single(one, names),
    };
    let arguments = command.iter().map(read).collect::<Result<Vec<Argument>, String>>()?;
    match arguments.first() {
        Some(Argument::Literal(_) | Argument::Beside(_)) => Ok(arguments),
        _ => Err("`command[0]` is the program, so it must be given as it is".to_owned()),
    }
}

fn single(element: &Value, names: &Map<String, Value>) -> Result<Argument, String> {
    let text = element.as_str().unwrap_or_default();
    let inside = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    if let Some(name) = inside.filter(|name| names.contains_key(*name)) {
        return Ok(Argument::Given(name.to_owned()));
    }
    if let Some(name) = inside.filter(|name| is_name(name)) {
        let known: Vec<String> = names.keys().map(|name| format!("`{name}`")).collect();
        let known = if known.is_empty() { "it has none".to_owned() } else { known.join(", ") };
        return Err(format!("`command` has {{{name}}}, which is none of its `parameters` ({known})"));
    }
    if let Some(name) = names.keys().find(|name| text.contains(&format!("{{{name}}}"))) {
        return Err(format!("`command` has {{{name}}} as a part of {text:?}: a placeholder must be a whole argument"));
    }
    match text.strip_prefix("./") {
        Some(file) if file.split('/').all(|part| !part.is_empty() && part != "..") => {
            Ok(Argument::Beside(file.to_owned()))
        }
        Some(_) => Err(format!("`command` has {text:?}, which leads out of the folder of the tools")),
        None => Ok(Argument::Literal(text.to_owned())),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// The program and its arguments for a call. `folder`: where the tool's file is.
///
/// # Errors
/// A value that a program could take for an option, or that no argument can hold.
pub(super) fn filled(command: &[Argument], given: &Map<String, Value>, folder: &Path) -> Result<Vec<String>, String> {
    let mut argv: Vec<String> = Vec::new();
    for argument in command {
        let single = std::slice::from_ref(argument);
        let parts = if let Argument::Group(parts) = argument { parts.as_slice() } else { single };
        let lacks = |part: &Argument| matches!(part, Argument::Given(name) if !is_given(given, name));
        if parts.iter().any(lacks) {
            continue;
        }
        for part in parts {
            match part {
                Argument::Literal(text) => argv.push(text.clone()),
                Argument::Beside(file) => argv.push(folder.join(file).to_string_lossy().into_owned()),
                Argument::Given(name) => add(&mut argv, name, &given[name])?,
                Argument::Group(_) => {}
            }
        }
    }
    Ok(argv)
}

fn is_given(given: &Map<String, Value>, name: &str) -> bool {
    given.get(name).is_some_and(|value| !value.is_null())
}

/// Adds a value: a list as one argument for each item.
fn add(argv: &mut Vec<String>, name: &str, value: &Value) -> Result<(), String> {
    // What follows an option is its value, and behind `--` nothing is one.
    let expected = argv.len() > 1 && argv.last().is_some_and(|last| last.starts_with('-') && last != "-");
    let closed = argv.iter().any(|argument| argument == "--");
    let items = match value {
        Value::Array(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    for item in items {
        let text = match item {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if text.contains('\0') {
            return Err(format!("{name} has a zero byte in it"));
        }
        if item.is_string() && text.starts_with('-') && !closed && !(expected && items.len() == 1) {
            return Err(format!("{name} begins with \"-\", which the program could take for an option"));
        }
        argv.push(text);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(command: &Value) -> Result<Vec<Argument>, String> {
        let names = json!({"place": {}, "units": {}, "files": {}});
        parse(command.as_array().expect("a list"), names.as_object().expect("an object"))
    }

    fn fill(command: &Value, given: &Value) -> Result<Vec<String>, String> {
        filled(&read(command).expect("a command"), given.as_object().expect("an object"), Path::new("/etc/tools"))
    }

    #[test]
    fn a_value_is_always_an_argument_of_its_own() {
        let command = json!(["./weather.py", "{place}", ["--units", "{units}"], "{files}"]);

        let all = fill(&command, &json!({"place": "New York; rm -rf /", "units": 3, "files": ["a b", "c"]}));
        let least = fill(&command, &json!({"place": "$(id)", "units": null}));

        let all = all.expect("an argv");
        assert_eq!(all, ["/etc/tools/weather.py", "New York; rm -rf /", "--units", "3", "a b", "c"]);
        assert_eq!(least.expect("an argv"), ["/etc/tools/weather.py", "$(id)"]);
    }

    #[test]
    fn what_a_program_could_take_for_an_option_is_refused() {
        assert!(fill(&json!(["curl", "{place}"]), &json!({"place": "-o/etc/passwd"})).is_err());
        assert!(fill(&json!(["rm", "{files}"]), &json!({"files": ["a", "-rf"]})).is_err());
        assert_eq!(fill(&json!(["x", "{units}"]), &json!({"units": -3})).expect("an argv"), ["x", "-3"]);
        assert_eq!(
            fill(&json!(["x", "--at", "{place}"]), &json!({"place": "-3"})).expect("an argv"),
            ["x", "--at", "-3"]
        );
        assert_eq!(fill(&json!(["x", "--", "{place}"]), &json!({"place": "-3"})).expect("an argv"), ["x", "--", "-3"]);
    }

    #[test]
    fn a_command_that_cannot_be_meant_says_which_part() {
        let refused = |command: Value| read(&command).expect_err("no command");
        assert!(refused(json!(["sh", "-c", "echo {place}"])).contains("{place} as a part of"));
        assert!(refused(json!(["curl", "{town}"])).contains("{town}, which is none of its `parameters`"));
        assert!(refused(json!(["{place}"])).contains("`command[0]` is the program"));
        assert!(refused(json!(["./../run"])).contains("leads out of the folder"));
        assert!(read(&json!(["jq", "{a: .b}"])).is_ok());
    }
}
