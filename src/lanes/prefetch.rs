//! Asking for memory ahead of its use.

/// Asks for a cache line. Wrong or useless addresses are harmless.
#[inline(always)]
pub(crate) fn prefetch<T>(_address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and faults on no address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(_address.cast());
    }
}
