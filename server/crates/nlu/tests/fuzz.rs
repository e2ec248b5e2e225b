//! The fuzz targets of `tests/fuzz` on bytes at random, the same ones each time: without libFuzzer, on stable.

#[expect(unreachable_pub, reason = "the crate of the fuzz targets exports them")]
#[path = "../../../../tests/fuzz/src/lib.rs"]
mod targets;

/// So many inputs are tried of each target.
const INPUTS: u64 = 2000;

#[test]
fn no_bytes_make_the_alignment_fail() {
    inputs(1, targets::align);
}

#[test]
fn no_bytes_make_the_template_parser_fail() {
    inputs(2, targets::template);
}

/// Tries inputs of up to 48 bytes by a plain generator; half of the bytes are parts of what is read.
fn inputs(seed: u64, target: impl Fn(&[u8])) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33).to_le_bytes()[0]
    };
    for _ in 0..INPUTS {
        let length = next() % 48;
        let data: Vec<u8> = (0..length).map(|_| if next() % 4 == 0 { next() } else { next() | 128 }).collect();
        target(&data);
    }
}
