//! Lines of shell, held against bash itself.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use switchboard_sandbox::shell::read_line;
use switchboard_sandbox::test_support::bash::{PIECES, TRICKS, is_only_ls, lay_out, touches};

/// The most pieces of a line.
const MAX_PIECES: usize = 16;

/// Where bash runs: one line at a time.
static FOLDER: LazyLock<Mutex<PathBuf>> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("switchboard-fuzz-{}", std::process::id()));
    // Of an earlier process with the same number.
    let _ = std::fs::remove_dir_all(&folder);
    lay_out(&folder);
    Mutex::new(folder)
});

/// A line that a rule `bash(ls *)` allows runs nothing but `ls`. It is made of pieces alone: what a fuzzer could spell, bash
/// would do. Whether bash ran one.
pub fn shell(data: &[u8]) -> bool {
    let pieces = data.iter().take(MAX_PIECES).map(|byte| piece(usize::from(*byte)));
    let line = format!("ls {}", pieces.collect::<String>());
    read_line(&line);
    if line.trim() == "ls" || !is_only_ls(&line) {
        return false;
    }
    let folder = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(!touches(Path::new(&*folder), &line), "bash runs more than ls for {line:?}");
    true
}

fn piece(number: usize) -> &'static str {
    PIECES.get(number).unwrap_or_else(|| &TRICKS[number % TRICKS.len()])
}
