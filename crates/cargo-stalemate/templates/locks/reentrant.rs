// Put at the end of `remutex.rs` of `lock_api`: see `stalemate.rs` beside it.

impl<R: RawMutex, G: GetThreadId> crate::stalemate::Again<'_, RawReentrantMutex<R, G>> {
    stalemate_methods! { lock Write lock try_lock; attempt Write try_lock(); unlock Write unlock; }
}

impl<R: RawMutexFair, G: GetThreadId> crate::stalemate::Again<'_, RawReentrantMutex<R, G>> {
    stalemate_methods! { unlock Write unlock_fair; bump Write bump; }
}

impl<R: RawMutexTimed, G: GetThreadId> crate::stalemate::Again<'_, RawReentrantMutex<R, G>> {
    stalemate_methods! { attempt Write try_lock_for(time: R::Duration); attempt Write try_lock_until(time: R::Instant); }
}
