//! The target `json` for libFuzzer; what it holds stands in `src/lib.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    switchboard_fuzz::json(data);
});
