//! Who a snake is to people: name, skin, and the connection that plays it.

use super::admission::NAMELESS;
use crate::net::ConnId;
use crate::wire::view::Roster as Looks;
use crate::world::SnakeId;

/// Names of bots. Short, friendly, and nobody's.
const BOT_NAMES: [&str; 24] = [
    "Adder",
    "Anaconda",
    "Asp",
    "Basilisk",
    "Boa",
    "Bramble",
    "Cobra",
    "Coil",
    "Copperhead",
    "Fang",
    "Garter",
    "Hiss",
    "Kaa-ching",
    "Krait",
    "Mamba",
    "Noodle",
    "Python",
    "Rattle",
    "Sidewinder",
    "Slinky",
    "Taipan",
    "Twist",
    "Viper",
    "Zigzag",
];

/// How one snake presents itself.
#[derive(Clone, Debug)]
pub struct Entry {
    id: SnakeId,
    /// The name that others see.
    pub name: String,
    /// The number of its skin.
    pub skin: u8,
    /// Who plays it; nobody for bots.
    pub owner: Option<ConnId>,
}

/// By index of the snake. An entry stays after a death, so that the dead can still be named, until the
/// index is used again.
#[derive(Debug, Default)]
pub struct Roster {
    entries: Vec<Option<Entry>>,
}

impl Roster {
    /// Enters a player.
    pub fn enter(&mut self, id: SnakeId, name: String, skin: u8, owner: ConnId) {
        self.put(Entry { id, name, skin, owner: Some(owner) });
    }

    /// Enters a bot, unless it is entered already. Its place in the crowd decides its looks, so it comes
    /// back from the dead as who it was.
    pub fn enter_bot(&mut self, id: SnakeId, place: usize) {
        if self.entry(id).is_some() {
            return;
        }
        let (round, first) = (place / BOT_NAMES.len() + 1, BOT_NAMES[place % BOT_NAMES.len()]);
        // A skin is a hue; 97 steps of 256 keep neighbours of the crowd apart.
        let name = if round == 1 { first.to_owned() } else { format!("{first} {round}") };
        self.put(Entry { id, name, skin: (place * 97) as u8, owner: None });
    }

    /// The entry of this snake, alive or the last at its index.
    pub fn entry(&self, id: SnakeId) -> Option<&Entry> {
        self.entries.get(id.index())?.as_ref().filter(|entry| entry.id == id)
    }

    /// Who plays this snake.
    pub fn owner(&self, id: SnakeId) -> Option<ConnId> {
        self.entry(id)?.owner
    }

    /// Its name; empty for nobody.
    pub fn name(&self, id: SnakeId) -> &str {
        if id == SnakeId::NOBODY { "" } else { self.look(id).0 }
    }

    fn put(&mut self, entry: Entry) {
        let index = entry.id.index();
        if index >= self.entries.len() {
            self.entries.resize(index + 1, None);
        }
        self.entries[index] = Some(entry);
    }
}

impl Looks for Roster {
    fn look(&self, id: SnakeId) -> (&str, u8) {
        self.entry(id).map_or((NAMELESS, 0), |entry| (entry.name.as_str(), entry.skin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_used_again_does_not_inherit_a_name() {
        let mut roster = Roster::default();
        let (old, new) = (SnakeId::from_bits(5), SnakeId::from_bits(5 | 1 << 20));
        roster.enter_bot(old, 25);
        assert_eq!(roster.name(old), "Anaconda 2");
        assert_eq!(roster.name(new), NAMELESS);
        roster.enter_bot(new, 0);
        assert!(roster.entry(old).is_none());
        assert_eq!(roster.name(SnakeId::NOBODY), "");
    }
}
