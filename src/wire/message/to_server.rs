//! What a client may say.

use super::kind;
use crate::wire::read::{Cursor, WireError};
use crate::wire::{NAME_MAX, write};

/// A message from a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToServer {
    /// Asks for a snake.
    Join {
        /// Version of the format.
        version: u8,
        /// Skin wished for.
        skin: u8,
        /// Name wished for, at most [`NAME_MAX`] bytes.
        name: String,
    },
    /// Steers.
    Input {
        /// Number of the input; snapshots acknowledge it.
        seq: u16,
        /// Heading to turn towards.
        heading: u16,
        /// Whether to boost.
        boost: bool,
    },
    /// Asks for a [`ToClient::Pong`](super::ToClient::Pong).
    Ping {
        /// Comes back as it is.
        stamp: u32,
    },
}

impl ToServer {
    /// Appends the message.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Join { version, skin, name } => {
                out.extend([kind::JOIN, *version, *skin]);
                write::str(out, name);
            }
            Self::Input { seq, heading, boost } => {
                out.push(kind::INPUT);
                write::u16(out, *seq);
                write::u16(out, *heading);
                out.push(u8::from(*boost));
            }
            Self::Ping { stamp } => {
                out.push(kind::PING);
                write::u32(out, *stamp);
            }
        }
    }

    /// Reads one whole message.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let mut cursor = Cursor::new(bytes);
        let message = match cursor.u8()? {
            kind::JOIN => Self::read_join(&mut cursor)?,
            kind::INPUT => {
                let (seq, heading) = (cursor.u16()?, cursor.u16()?);
                Self::Input { seq, heading, boost: cursor.flags(1)? != 0 }
            }
            kind::PING => Self::Ping { stamp: cursor.u32()? },
            other => return Err(WireError::Kind(other)),
        };
        cursor.end()?;
        Ok(message)
    }

    fn read_join(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let (version, skin, name) = (cursor.u8()?, cursor.u8()?, cursor.str()?);
        if name.len() > NAME_MAX {
            return Err(WireError::Value("name"));
        }
        Ok(Self::Join { version, skin, name: name.to_owned() })
    }
}
