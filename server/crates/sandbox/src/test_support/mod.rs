//! The worker of tests: a test is another program, so it starts the server's binary, which is in a folder above it; and a
//! bash that tells what it runs.

pub mod bash;

use crate::WorkerProgram;

/// The server that was built before the tests.
///
/// # Panics
/// When it was not built.
#[must_use]
pub fn built_server() -> WorkerProgram {
    let test = std::env::current_exe().expect("a test knows where it is");
    let beside = test.ancestors().map(|folder| folder.join("switchboard")).find(|binary| binary.is_file());
    WorkerProgram::at(beside.expect("the server is built before the tests: cargo build"))
}
