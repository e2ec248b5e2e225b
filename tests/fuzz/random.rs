//! The fuzz targets on bytes at random, the same ones each time: without libFuzzer, on stable.

/// Those that need nothing of what only tests have; the crate `sandbox` holds lines of shell against bash itself.
#[expect(unreachable_pub, reason = "the crate of the fuzz targets exports them")]
#[path = "src"]
mod targets {
    mod bytes;
    mod edits;
    pub mod frames;
    pub mod json;
    pub mod records;
    pub mod references;
    pub mod rules;
    pub mod sentences;
    mod wait;
}

/// Tries so many inputs of up to 48 bytes by a plain generator, most of which stand for parts of what is read; so many must get as
/// far as what the target is about.
fn inputs(seed: u64, count: usize, least: usize, target: impl Fn(&[u8]) -> bool) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33).to_le_bytes()[0]
    };
    let mut input = || -> Vec<u8> {
        let length = next() % 48;
        (0..length).map(|_| if next() % 4 == 0 { next() } else { next() | 128 }).collect()
    };
    let far = (0..count).filter(|_| target(&input())).count();
    println!("{far} of {count} inputs got far");
    assert!(far >= least, "only {far} of {count} inputs got far");
}

#[test]
fn no_bytes_make_the_alignment_fail() {
    inputs(1, 2000, 400, targets::sentences::align);
}

#[test]
fn no_bytes_make_the_template_parser_fail() {
    inputs(2, 2000, 20, targets::sentences::template);
}

#[test]
fn no_bytes_make_the_reading_of_arguments_fail() {
    inputs(3, 200, 20, targets::sentences::arguments);
}

#[test]
fn no_bytes_make_the_decoder_of_frames_fail() {
    inputs(4, 20000, 2000, targets::frames::frames);
}

#[test]
fn no_bytes_make_the_resolution_of_references_fail() {
    inputs(5, 20_000, 50, targets::references::references);
}

#[test]
fn no_bytes_make_the_reader_of_json_fail() {
    inputs(6, 10000, 500, targets::json::json);
}

#[test]
fn no_bytes_make_the_parser_of_rules_fail() {
    inputs(7, 5000, 200, targets::rules::rules);
}

#[test]
fn no_bytes_make_a_log_that_is_read_otherwise() {
    inputs(8, 1000, 100, targets::records::records);
}
