//! `ringsnake probe`: one question a line, one answer a line.
//!
//! JSON Lines in, JSON Lines out, in order, one for one. What cannot be answered gets `{"error": "what and where"}`;
//! the other lines are still answered. Numbers are taken as `f64`, as given; only `tick` takes them to the lattice.

mod answer;
mod question;
mod tick;

use serde_json::json;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Longest line, bytes.
pub const LINE_MAX: usize = 16 << 20;

/// Answers every line of `input`. True when all of them could be answered; I/O failures are the only errors.
///
/// ```
/// let mut out = Vec::new();
/// let asked = br#"{"op": "segment_distance", "p": [0,0,4,0], "q": [-4,1,10,1]}"#;
/// assert!(ringsnake::cli::probe::run(&asked[..], &mut out).unwrap());
/// assert_eq!(out, b"{\"distance\":1.0}\n");
/// ```
pub fn run(input: impl Read, mut output: impl Write) -> io::Result<bool> {
    let mut input = BufReader::new(input);
    let (mut line, mut number, mut all) = (Vec::new(), 0_u64, true);
    while let Some(fits) = read_line(&mut input, &mut line)? {
        number += 1;
        let found = if fits { answer::answer(&line) } else { Err(format!("longer than {LINE_MAX} bytes")) };
        all &= found.is_ok();
        let reply = found.unwrap_or_else(|what| json!({ "error": format!("line {number}: {what}") }));
        writeln!(output, "{reply}")?;
        // Whoever asks one question at a time waits for its answer.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(all)
}

/// Reads a line without its end; none when there are no more. False when it is too long: the rest is then skipped
/// without being held.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let read = input.by_ref().take(LINE_MAX as u64 + 1).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(true));
    }
    if line.len() <= LINE_MAX {
        return Ok(Some(true));
    }
    input.skip_until(b'\n')?;
    Ok(Some(false))
}

#[cfg(test)]
mod tests;
