//! Everybody who is connected, by the place of the connection.

use super::session::{Session, Stage};
use crate::net::ConnId;
use crate::world::SnakeId;

/// As dense as the connections' places are.
#[derive(Default)]
pub struct Sessions {
    places: Vec<Option<Session>>,
}

impl Sessions {
    /// Lets somebody in.
    pub fn put(&mut self, session: Session) {
        let place = session.conn.index();
        if place >= self.places.len() {
            self.places.resize_with(place + 1, || None);
        }
        debug_assert!(self.places[place].is_none(), "whoever was here has been let go");
        self.places[place] = Some(session);
    }

    /// The session of this connection.
    pub fn get_mut(&mut self, conn: ConnId) -> Option<&mut Session> {
        self.at_mut(conn.index()).filter(|session| session.conn == conn)
    }

    /// The session at a place.
    pub fn at_mut(&mut self, place: usize) -> Option<&mut Session> {
        self.places.get_mut(place)?.as_mut()
    }

    /// Lets somebody go.
    pub fn remove(&mut self, conn: ConnId) -> Option<Session> {
        self.get_mut(conn)?;
        self.places[conn.index()].take()
    }

    /// Everybody.
    pub fn iter(&self) -> impl Iterator<Item = &Session> {
        self.places.iter().flatten()
    }

    /// Everybody.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Session> {
        self.places.iter_mut().flatten()
    }

    /// All places, in turn, from some number on.
    pub fn rotation(&self, from: usize) -> impl Iterator<Item = usize> + use<> {
        let count = self.places.len();
        let start = from % count.max(1);
        (start..count).chain(0..start)
    }

    /// A kill for whoever plays this snake.
    pub fn count_kill(&mut self, owner: Option<ConnId>, killer: SnakeId) {
        let Some(session) = owner.and_then(|conn| self.get_mut(conn)) else { return };
        if let Stage::Playing { snake, kills, .. } = &mut session.stage
            && *snake == killer
        {
            *kills = kills.saturating_add(1);
        }
    }
}
