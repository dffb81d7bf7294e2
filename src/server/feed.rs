//! News of deaths, kept short.

use super::roster::Roster;
use crate::wire::message::{CAUSE_LEFT, Obituary, cause_code};
use crate::world::Death;

/// Lines of one message. Among thousands somebody always dies, and nobody reads that fast.
const LINES_MAX: usize = 6;

/// Lines that wait to be told. Those that concern people push out those of bots alone.
#[derive(Default)]
pub struct Feed {
    lines: Vec<(bool, Obituary)>,
}

impl Feed {
    /// Somebody died.
    pub fn died(&mut self, death: &Death, roster: &Roster) {
        let human = roster.owner(death.victim).is_some() || roster.owner(death.killer).is_some();
        if !human && self.lines.len() == LINES_MAX {
            return;
        }
        self.add(human, cause_code(death.cause), roster.name(death.victim), roster.name(death.killer));
    }

    /// Somebody left the game.
    pub fn left(&mut self, name: &str) {
        self.add(true, CAUSE_LEFT, name, "");
    }

    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// What is to be told.
    pub fn take(&mut self) -> Vec<Obituary> {
        self.lines.drain(..).map(|(_, line)| line).collect()
    }

    fn add(&mut self, human: bool, cause: u8, victim: &str, killer: &str) {
        if self.lines.len() == LINES_MAX {
            let least = self.lines.iter().position(|(human, _)| !human).unwrap_or(0);
            self.lines.remove(least);
        }
        self.lines.push((human, Obituary { cause, victim: victim.to_owned(), killer: killer.to_owned() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Cause, SnakeId};

    #[test]
    fn news_of_people_push_out_news_of_bots() {
        let (mut feed, roster) = (Feed::default(), Roster::default());
        let death = |bits| Death {
            victim: SnakeId::from_bits(bits),
            killer: SnakeId::NOBODY,
            cause: Cause::Edge,
            toi: 0.0,
            at: [0.0; 2],
            length: 1,
        };
        (0..20).for_each(|bits| feed.died(&death(bits), &roster));
        feed.left("Ada");
        let lines = feed.take();
        assert_eq!((lines.len(), lines[LINES_MAX - 1].victim.as_str()), (LINES_MAX, "Ada"));
        assert!(feed.is_empty());
    }
}
