//! Claims about the token file.

use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::http::HttpConfig;

fn config(path: &Path) -> HttpConfig {
    HttpConfig { token_file: Some(path.to_owned()), ..HttpConfig::default() }
}

fn token(config: &HttpConfig) -> String {
    config.token().expect("a token").reveal().to_owned()
}

#[test]
fn the_first_start_makes_a_token_and_later_ones_find_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data").join("token");
    let mut first = config(&path);
    let mut second = config(&path);
    let mut elsewhere = config(&folder.path().join("other"));

    assert_eq!(first.open_token_file(), Ok(true));
    assert_eq!(second.open_token_file(), Ok(false));
    assert_eq!(elsewhere.open_token_file(), Ok(true));

    assert_eq!(token(&first), token(&second));
    assert_ne!(token(&first), token(&elsewhere));
    assert_eq!(token(&first).len(), 64);
    assert_eq!(check_token(&token(&first)), Ok(()));
}

#[test]
fn only_the_owner_can_read_what_was_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("token");

    make_token(&path).expect("a token");

    let mode = fs::metadata(&path).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{mode:o}");
    let names: Vec<_> = fs::read_dir(folder.path()).expect("the folder").flatten().map(|e| e.file_name()).collect();
    assert_eq!(names, ["token"]);
}

#[test]
fn what_is_there_is_never_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("token");
    fs::write(&path, "correct-horse-battery\n").expect("written");

    assert!(make_token(&path).is_err());
    let mut config = config(&path);
    assert_eq!(config.open_token_file(), Ok(false));

    assert_eq!(token(&config), "correct-horse-battery");
    assert_eq!(fs::read_to_string(&path).expect("the file"), "correct-horse-battery\n");
}

#[test]
fn a_file_without_a_token_is_told_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("token");
    for text in ["", "short", "two words that are long enough", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"] {
        fs::write(&path, text).expect("written");

        let problem = config(&path).open_token_file().expect_err("no token");

        assert!(problem.contains(&path.display().to_string()) && problem.contains("16 characters"), "{problem}");
        assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    }
    fs::write(&path, [0xff, 0xfe]).expect("written");
    assert!(config(&path).open_token_file().is_err());
}

#[test]
fn a_token_that_was_set_stands_over_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("token");
    let mut config = HttpConfig { auth_token: Some(Secret::new("correct-horse-battery")), ..config(&path) };

    assert_eq!(config.open_token_file(), Ok(false));

    assert_eq!(token(&config), "correct-horse-battery");
    assert!(!path.exists());
}

#[test]
fn programs_of_the_same_user_find_the_token_and_make_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("token");
    assert_eq!(config(&path).find_token(), None);

    let made = make_token(&path).expect("a token");

    assert_eq!(config(&path).find_token(), Some(made));
}
