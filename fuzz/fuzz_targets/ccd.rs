#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ringsnake_fuzz::ccd(bytes));
