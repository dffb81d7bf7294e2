//! A list that is written first and counted afterwards.

/// What it once had room for it keeps, and what lies in that room is some former entry: nothing is cleared.
#[derive(Default)]
pub(super) struct List<T> {
    places: Vec<T>,
    len: usize,
}

impl<T: Clone + Default> List<T> {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The entries.
    #[inline(always)]
    pub fn all(&self) -> &[T] {
        &self.places[..self.len]
    }

    /// The entries, and room for at least so many more; what is written there becomes entries by [`List::count`].
    #[inline(always)]
    pub fn with_room(&mut self, more: usize) -> (&mut [T], &mut [T]) {
        if self.places.len() < self.len + more {
            self.grow(more);
        }
        self.places.split_at_mut(self.len)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        self.places.resize(2 * self.len + more, T::default());
    }

    /// Counts so many more.
    #[inline(always)]
    pub fn count(&mut self, more: usize) {
        self.len += more;
    }
}
