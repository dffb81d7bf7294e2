//! The threads of a step, and when they are worth waking.

/// Threads that share out what is done for every head.
pub(crate) struct Threads {
    pool: Option<rayon::ThreadPool>,
    /// Heads from which on it is shared out.
    pub share_from: usize,
}

impl Threads {
    pub fn new(threads: u32, share_from: u32) -> Self {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
        Self { pool: (threads > 1).then(|| builder.build().ok()).flatten(), share_from: share_from as usize }
    }

    /// The pool, if there is one.
    #[cfg(feature = "server")]
    pub fn pool(&self) -> Option<&rayon::ThreadPool> {
        self.pool.as_ref()
    }

    /// The pool, if so many heads are enough for it.
    pub fn for_heads(&self, heads: usize) -> Option<&rayon::ThreadPool> {
        self.pool.as_ref().filter(|_| heads >= self.share_from)
    }
}
