//! Counts frames and fragments in a stream of bytes.
//!
//! The protocol library joins fragments and bounds the bytes of a message, not their number: an endless
//! row of empty fragments never reaches a message, and never a limit. This reads along, headers only.

/// Longest header of a frame: 2 bytes, 8 of length, 4 of mask.
const HEADER_MAX: usize = 14;

/// Where in a stream of frames the reader stands.
#[derive(Default)]
pub(super) struct FrameScan {
    header: [u8; HEADER_MAX],
    header_len: usize,
    payload_left: u64,
    /// Fragments of the message in progress.
    fragments: u32,
    /// Most fragments that a message has had.
    most: u32,
    frames: u64,
}

impl FrameScan {
    /// Reads along.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while let Some(&first) = bytes.first() {
            if self.payload_left > 0 {
                let skipped = self.payload_left.min(bytes.len() as u64);
                self.payload_left -= skipped;
                bytes = &bytes[skipped as usize..];
                continue;
            }
            self.header[self.header_len] = first;
            self.header_len += 1;
            bytes = &bytes[1..];
            if self.header_len == self.header_size() {
                self.begin_frame();
            }
        }
    }

    /// Frames whose header was read.
    pub(super) fn frames(&self) -> u64 {
        self.frames
    }

    /// Most fragments that a message has had so far, complete or not.
    pub(super) fn most_fragments(&self) -> u32 {
        self.most
    }

    /// Size of the header, as far as it is known.
    fn header_size(&self) -> usize {
        if self.header_len < 2 {
            return 2;
        }
        let mask = if self.header[1] & 0x80 == 0 { 0 } else { 4 };
        2 + mask + self.length_size()
    }

    /// Bytes of the extended length.
    fn length_size(&self) -> usize {
        match self.header[1] & 0x7F {
            126 => 2,
            127 => 8,
            _ => 0,
        }
    }

    fn begin_frame(&mut self) {
        let extended = &self.header[2..2 + self.length_size()];
        let short = u64::from(self.header[1] & 0x7F);
        let long = extended.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        self.payload_left = if extended.is_empty() { short } else { long };
        self.header_len = 0;
        self.frames += 1;
        // Control frames (bit 3 of the opcode) stand between fragments without being any.
        if self.header[0] & 0x08 == 0 {
            self.fragments = self.fragments.saturating_add(1);
            self.most = self.most.max(self.fragments);
        }
        if self.header[0] & 0x88 == 0x80 {
            self.fragments = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINAL: u8 = 0x80;

    fn frame(first: u8, payload: usize) -> Vec<u8> {
        let mut bytes = vec![first];
        match payload {
            0..126 => bytes.push(0x80 | payload as u8),
            126..65_536 => bytes.extend([0x80 | 126, (payload >> 8) as u8, payload as u8]),
            _ => {
                bytes.push(0x80 | 127);
                bytes.extend((payload as u64).to_be_bytes());
            }
        }
        bytes.extend([0; 4]);
        bytes.resize(bytes.len() + payload, 0xAA);
        bytes
    }

    fn scanned(bytes: &[u8], stretch: usize) -> FrameScan {
        let mut scan = FrameScan::default();
        bytes.chunks(stretch).for_each(|chunk| scan.feed(chunk));
        scan
    }

    #[test]
    fn fragments_are_counted_however_the_bytes_are_cut() {
        let mut bytes = frame(0x02, 3);
        bytes.extend(frame(0x00, 70_000));
        bytes.extend(frame(FINAL | 0x09, 5));
        bytes.extend(frame(FINAL, 300));
        bytes.extend(frame(FINAL | 0x02, 0));
        for stretch in [1, 2, 7, 1000, bytes.len()] {
            let scan = scanned(&bytes, stretch);
            assert_eq!((scan.frames(), scan.most_fragments()), (5, 3), "{stretch}");
        }
    }

    #[test]
    fn a_message_in_one_frame_is_one_fragment() {
        let bytes = frame(FINAL | 0x02, 10).repeat(100);
        assert_eq!(scanned(&bytes, 64).most_fragments(), 1);
    }

    #[test]
    fn a_claim_of_2_to_the_63_is_only_a_number() {
        let mut bytes = vec![FINAL | 0x02, 0xFF];
        bytes.extend((u64::MAX >> 1).to_be_bytes());
        bytes.extend([0; 100]);
        assert_eq!(scanned(&bytes, 5).frames(), 1);
    }
}
