//! Claims about the settings in words; also writes the tables of the documents.

use std::path::{Path, PathBuf};

use super::*;
use crate::config::{Environment, Loader};

/// Documents that hold the table.
const DOCUMENTS: [&str; 2] = ["README.md", "docs/configuration.md"];

fn document(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    (path, text)
}

fn with_table(text: &str) -> String {
    let (before, rest) = text.split_once(SETTINGS_TABLE_START).expect("the table's first mark");
    let (_, after) = rest.split_once(SETTINGS_TABLE_END).expect("the table's last mark");
    format!("{before}{}{after}", settings_table())
}

#[test]
fn the_documents_hold_the_declared_settings() {
    for name in DOCUMENTS {
        let (_, text) = document(name);
        assert!(
            text == with_table(&text),
            "{name} is out of date; write it with: cargo test -p switchboard --lib -- --ignored \
             write_the_settings_tables"
        );
    }
}

#[test]
#[ignore = "writes the documents"]
fn write_the_settings_tables() {
    for name in DOCUMENTS {
        let (path, text) = document(name);
        std::fs::write(path, with_table(&text)).expect("the document is written");
    }
}

#[test]
fn the_sample_file_sets_nothing_and_is_right_in_every_line() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("switchboard.toml");
    let load = |text: &str| {
        std::fs::write(&path, text).expect("the file is written");
        let flags = [("config".to_owned(), path.display().to_string())].into();
        Loader::new(flags, Environment::of([("HOME", "/home/ada")])).load()
    };
    let sample = sample_file();
    let values = ["TOKEN", "URL", "DIRS", "PROVIDER", "HOST:PORT"];
    let uncommented: String = sample
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .filter(|line| SETTINGS.iter().any(|setting| line.starts_with(&format!("{} = ", setting.key))))
        .filter(|line| !values.iter().any(|value| line.ends_with(&format!("\"{value}\""))))
        // Its file is read at once.
        .filter(|line| !line.starts_with("system-prompt = "))
        .map(|line| format!("{line}\n"))
        .collect();

    let untouched = load(&sample).expect("the sample as it is");
    let taken = load(&uncommented).expect("the sample with its marks removed");

    assert!(untouched.resolved.iter().all(|resolved| resolved.source == Source::Default));
    let set = taken.resolved.iter().filter(|resolved| resolved.source != Source::Default).count();
    assert_eq!(
        set + 1,
        SETTINGS.iter().filter(|setting| !setting.hidden && !values.contains(&setting.value_name().as_str())).count()
    );
}

#[test]
fn what_is_for_measurements_stands_in_no_list() {
    let loaded = Loader::new([].into(), Environment::of([("HOME", "/home/ada")])).load().expect("settings");

    for text in [list(&loaded), sample_file(), settings_table()] {
        assert!(!text.contains("sync"), "{text}");
    }
}
