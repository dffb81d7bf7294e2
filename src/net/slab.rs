//! Places for connections, used again with another generation.

/// The name of a connection. One that has ended is never mistaken for the next at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnId {
    index: u32,
    generation: u32,
}

impl ConnId {
    /// Its place: small, dense, used again. Good for spreading connections over ticks.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// Both halves in one number.
    pub(super) const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self { index: bits as u32, generation: (bits >> 32) as u32 }
    }
}

struct Place<T> {
    generation: u32,
    tenant: Option<T>,
}

/// A vector with holes.
pub(super) struct Slab<T> {
    places: Vec<Place<T>>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(super) const fn new() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// The name that the next tenant will get.
    pub(super) fn next_id(&self) -> ConnId {
        match self.free.last() {
            Some(&index) => ConnId { index, generation: self.places[index as usize].generation },
            None => ConnId { index: self.places.len() as u32, generation: 0 },
        }
    }

    pub(super) fn insert(&mut self, tenant: T) -> ConnId {
        let id = self.next_id();
        if self.free.pop().is_none() {
            self.places.push(Place { generation: 0, tenant: None });
        }
        self.places[id.index()].tenant = Some(tenant);
        id
    }

    pub(super) fn get_mut(&mut self, id: ConnId) -> Option<&mut T> {
        let place = self.places.get_mut(id.index())?;
        if place.generation == id.generation { place.tenant.as_mut() } else { None }
    }

    pub(super) fn remove(&mut self, id: ConnId) -> Option<T> {
        let place = self.places.get_mut(id.index()).filter(|place| place.generation == id.generation)?;
        let tenant = place.tenant.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(id.index);
        Some(tenant)
    }

    /// Everybody, with names, in order of places.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (ConnId, &mut T)> {
        self.places.iter_mut().enumerate().filter_map(|(index, place)| {
            let id = ConnId { index: index as u32, generation: place.generation };
            place.tenant.as_mut().map(|tenant| (id, tenant))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_used_again_does_not_answer_to_its_old_name() {
        let mut slab = Slab::new();
        let old = slab.insert('a');
        assert_eq!(slab.remove(old), Some('a'));
        let new = slab.insert('b');
        assert_eq!((old.index(), slab.len()), (new.index(), 1));
        assert_eq!(slab.get_mut(old), None);
        assert_eq!(slab.remove(old), None);
        assert_eq!(slab.get_mut(new), Some(&mut 'b'));
        assert_eq!(ConnId::from_bits(new.to_bits()), new);
    }
}
