//! With nobody directing, the wrappers are std's types under another roof.

use stalemate_rt::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicUsize, Ordering::SeqCst};
use stalemate_rt::sync::{Arc, Condvar, Mutex, MutexGuard, RwLock, RwLockWriteGuard, TryLockError};
use std::mem::{align_of, size_of};
use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

static COUNT: Mutex<u32> = Mutex::new(0);
static TABLE: RwLock<Vec<u8>> = RwLock::new(Vec::new());
static READY: Condvar = Condvar::new();
static FLAG: AtomicBool = AtomicBool::new(false);

#[test]
fn statics_are_made_at_compile_time() {
    *COUNT.lock().unwrap() += 1;
    TABLE.write().unwrap().push(7);
    FLAG.store(true, SeqCst);
    READY.notify_all();
    assert_eq!((*COUNT.lock().unwrap(), TABLE.read().unwrap().len(), FLAG.load(SeqCst)), (1, 1, true));
}

#[test]
fn layouts_are_those_of_std() {
    assert_eq!(size_of::<Mutex<u64>>(), size_of::<std::sync::Mutex<u64>>());
    assert_eq!(size_of::<RwLock<u8>>(), size_of::<std::sync::RwLock<u8>>());
    assert_eq!(size_of::<Condvar>(), size_of::<std::sync::Condvar>());
    assert_eq!(align_of::<AtomicI64>(), align_of::<std::sync::atomic::AtomicI64>());
    assert_eq!(size_of::<AtomicU8>(), 1);
}

#[test]
fn a_panic_under_a_guard_poisons() {
    let lock = Arc::new(Mutex::new(1));
    let other = lock.clone();
    let _ = thread::spawn(move || {
        let _guard = other.lock().unwrap();
        panic!("on purpose");
    })
    .join();
    assert!(lock.is_poisoned());
    assert_eq!(*lock.lock().unwrap_err().into_inner(), 1);
    assert!(matches!(lock.try_lock(), Err(TryLockError::Poisoned(_))));
    lock.clear_poison();
    assert_eq!(Arc::into_inner(lock).unwrap().into_inner().unwrap(), 1);
}

#[test]
fn a_panic_under_a_write_guard_poisons_and_under_a_read_guard_does_not() {
    let lock = RwLock::new(1);
    let _ = catch_unwind(|| {
        let _guard = lock.read();
        panic!("on purpose");
    });
    assert!(!lock.is_poisoned());
    let _ = catch_unwind(|| {
        let _guard = lock.write();
        panic!("on purpose");
    });
    assert!(lock.is_poisoned() && lock.read().is_err());
}

#[test]
fn a_held_lock_is_not_tried() {
    let lock = Mutex::new(());
    let guard = lock.lock();
    assert!(matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
    drop(guard);
    assert!(lock.try_lock().is_ok());
    let lock = RwLock::new(());
    let guard = lock.read();
    assert!(lock.try_read().is_ok() && lock.try_write().is_err());
    drop(guard);
    assert!(lock.try_write().is_ok());
}

#[test]
fn debug_and_display_are_those_of_std() {
    assert_eq!(format!("{:?}", Mutex::new(3)), format!("{:?}", std::sync::Mutex::new(3)));
    assert_eq!(format!("{:#?}", RwLock::new("a")), format!("{:#?}", std::sync::RwLock::new("a")));
    assert_eq!(format!("{:?}", Condvar::new()), format!("{:?}", std::sync::Condvar::new()));
    assert_eq!(format!("{:?} {:?}", AtomicBool::from(true), AtomicUsize::default()), "true 0");
    let (lock, of_std) = (Mutex::new(3), std::sync::Mutex::new(3));
    let (guard, guard_of_std) = (lock.lock().unwrap(), of_std.lock().unwrap());
    assert_eq!(format!("{guard} {guard:?} {lock:?}"), format!("{guard_of_std} {guard_of_std:?} {of_std:?}"));
}

#[test]
fn locks_of_trait_objects_and_slices() {
    let lock: Arc<Mutex<dyn Fn(u8) -> u8 + Send>> = Arc::new(Mutex::new(|it| it + 1));
    assert_eq!(lock.lock().unwrap()(1), 2);
    let slice: Box<RwLock<[u8]>> = Box::new(RwLock::new([1, 2, 3]));
    assert_eq!(slice.read().unwrap().len(), 3);
}

#[test]
fn threads_may_share_what_they_may_share_of_std() {
    fn shared<T: Send + Sync + UnwindSafe + RefUnwindSafe>() {}
    fn sync<T: Sync>() {}
    shared::<Mutex<std::cell::Cell<u8>>>();
    shared::<RwLock<u8>>();
    shared::<Condvar>();
    shared::<AtomicUsize>();
    shared::<AtomicPtr<u8>>();
    sync::<MutexGuard<'static, u8>>();
}

#[test]
fn waits_end_by_notification_and_by_time() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let other = pair.clone();
    let setter = thread::spawn(move || {
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    });
    let done = pair.1.wait_while(pair.0.lock().unwrap(), |done| !*done).unwrap();
    assert!(*done);
    let (done, timed) = pair.1.wait_timeout_while(done, Duration::from_millis(5), |done| *done).unwrap();
    assert!(*done && timed.timed_out());
    setter.join().unwrap();
}

#[test]
fn a_write_guard_becomes_a_read_guard() {
    let lock = RwLock::new(1);
    let mut guard = lock.write().unwrap();
    *guard = 2;
    let guard = RwLockWriteGuard::downgrade(guard);
    assert_eq!((*guard, *lock.read().unwrap()), (2, 2));
}

#[test]
fn atomics_do_what_std_does() {
    let count = AtomicUsize::new(5);
    assert_eq!(count.fetch_update(SeqCst, SeqCst, |it| it.checked_sub(6)), Err(5));
    assert_eq!(count.fetch_update(SeqCst, SeqCst, |it| Some(it * 2)), Ok(5));
    assert_eq!((count.fetch_max(3, SeqCst), count.fetch_nand(2, SeqCst), count.swap(1, SeqCst)), (10, 10, !2));
    assert_eq!(count.compare_exchange(2, 3, SeqCst, SeqCst), Err(1));
    let flag = AtomicBool::default();
    assert!(!flag.fetch_not(SeqCst) && flag.fetch_and(false, SeqCst) && !flag.into_inner());
    let mut value = 1;
    // SAFETY: the value outlives the reference and is not touched otherwise meanwhile.
    let shared = unsafe { stalemate_rt::sync::atomic::AtomicI32::from_ptr(&mut value) };
    shared.fetch_add(1, SeqCst);
    assert_eq!(value, 2);
}

/// What a crate that knows nothing of the facade asks for.
#[test]
fn std_itself_takes_them_by_reference() {
    fn foreign(flag: &std::sync::atomic::AtomicBool, lock: &std::sync::Mutex<u8>) -> (bool, u8) {
        (flag.load(SeqCst), *lock.lock().unwrap())
    }
    assert_eq!(foreign(&AtomicBool::new(true), &Mutex::new(3)), (true, 3));
}
