//! The settings in words: the list that `switchboard config` prints, the commented file, the table of the documents.

use std::fmt::Write;

use super::declared::SETTINGS;
use super::env::Environment;
use super::loader::{Loaded, Source};
use super::settings::{Fallback, Kind, ON_OFF, Setting};

/// Where the table begins in a document.
pub const SETTINGS_TABLE_START: &str = "<!-- settings: written by a test from server/src/config/declared.rs -->";

/// Where the table ends in a document.
pub const SETTINGS_TABLE_END: &str = "<!-- end of settings -->";

/// Each setting with its value and where it came from; secrets are masked.
#[must_use]
pub fn list(loaded: &Loaded) -> String {
    let shown: Vec<(&str, String, String)> = loaded
        .resolved
        .iter()
        .filter(|resolved| !resolved.setting.hidden || resolved.source != Source::Default)
        .map(|resolved| {
            let value = match &resolved.value {
                None => "(none)".to_owned(),
                Some(_) if resolved.setting.secret => "********".to_owned(),
                Some(value) => value.replace('\n', ", "),
            };
            (resolved.setting.key, value, resolved.source.to_string())
        })
        .collect();
    let key_width = shown.iter().map(|(key, ..)| key.len()).max().unwrap_or(0);
    let value_width = shown.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or(0).min(48);

    let mut text = String::new();
    for (key, value, source) in shown {
        let _ = writeln!(text, "{key:key_width$}  {value:value_width$}  {source}");
    }
    if let Some(file) = &loaded.file {
        let in_use = loaded.resolved.iter().any(|resolved| matches!(resolved.source, Source::File(..)));
        let state = match (in_use, file.exists()) {
            (_, false) => " (does not exist; `switchboard config --init` writes it)",
            (false, true) => " (sets nothing)",
            (true, true) => "",
        };
        let _ = writeln!(text, "\nsettings file: {}{state}", file.display());
    }
    text
}

/// A settings file in which everything is explained and nothing is set.
#[must_use]
pub fn sample_file() -> String {
    let mut text = String::from(
        "# Settings of Switchboard. A line that begins with # sets nothing: remove the # to change a setting.\n# A \
         flag (--listen) and an environment variable (SWITCHBOARD_LISTEN) take precedence over this file.\n# \
         `switchboard config` shows every setting, its value, and where it came from.\n",
    );
    for setting in SETTINGS.iter().filter(|setting| !setting.hidden) {
        let _ = write!(text, "\n# {}", setting.help);
        match setting.kind {
            Kind::Choice(words) => drop(write!(text, " ({})", words.join(", "))),
            Kind::Switch => drop(write!(text, " ({})", ON_OFF.join(", "))),
            _ => {}
        }
        let reloads = if setting.reloads { " Reloaded on SIGHUP." } else { "" };
        let _ =
            writeln!(text, ".\n# Default: {}.{reloads}\n# {} = {}", default(setting), setting.key, example(setting));
    }
    text
}

/// The table of all settings in Markdown, between its marks.
#[must_use]
pub fn settings_table() -> String {
    let mut text = format!("{SETTINGS_TABLE_START}\n| flag and key in the file | environment | default | meaning |\n");
    text.push_str("|---|---|---|---|\n");
    let config = "The settings file; never inside the workspace";
    let _ = writeln!(
        text,
        "| `--config FILE` (flag only) | `SWITCHBOARD_CONFIG` | the platform's settings folder | {config} |"
    );
    for setting in SETTINGS.iter().filter(|setting| !setting.hidden) {
        let flag = match setting.kind {
            Kind::Switch => format!("--{}", setting.key),
            _ => format!("--{} {}", setting.key, setting.value_name()).replace('|', "\\|"),
        };
        let reloads = if setting.reloads { ". Reloaded on `SIGHUP`" } else { "" };
        let variable = Environment::variable_of(setting.key);
        let _ = writeln!(text, "| `{flag}` | `{variable}` | {} | {}{reloads} |", default(setting), setting.help);
    }
    text.push_str(SETTINGS_TABLE_END);
    text
}

fn default(setting: &Setting) -> &'static str {
    setting.default_words()
}

fn example(setting: &Setting) -> String {
    match setting.kind {
        // Large enough for every number that has no default.
        Kind::Number(_) if matches!(setting.default, Fallback::None) => "8000".to_owned(),
        Kind::Number(_) => default(setting).to_owned(),
        Kind::Choice(_) | Kind::Switch => format!("\"{}\"", default(setting)),
        Kind::List(name) => format!("[\"{0}\", \"{0}\"]", name.trim_end_matches('S')),
        Kind::Text(name) => match setting.default {
            super::settings::Fallback::Text(text) => format!("\"{text}\""),
            _ => format!("\"{name}\""),
        },
    }
}

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
