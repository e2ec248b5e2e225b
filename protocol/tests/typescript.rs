//! The TypeScript types that `web/` is built with are the ones that the Rust types say.
#![cfg(feature = "typescript")]

use std::fs;
use std::path::Path;

use switchboard_protocol::typescript;

#[test]
fn the_generated_file_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(typescript::PATH);

    let committed = fs::read_to_string(path).expect("the generated file");

    assert!(
        committed == typescript::generate(),
        "{} is not what the types say: run `cargo run -p switchboard-protocol --all-features --bin export_ts`",
        typescript::PATH,
    );
}

#[test]
fn a_server_frame_is_a_union_that_a_reducer_can_switch_on() {
    let text = typescript::generate();

    assert!(
        text.contains("turnId?: string, } & ServerMessage;"),
        "the envelope and the message, not one inside the other"
    );
    assert!(!text.contains("import "), "one file, nothing imported");
    assert!(!text.contains("bigint"), "numbers are what JSON.parse makes of them");
}
