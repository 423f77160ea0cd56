//! Unsafe shapes of the Nomicon: inline assembly, naked functions, raw pointers, transmutes, variadics, ffi.
#![feature(c_variadic, core_intrinsics, unsafe_binders, asm_goto_with_outputs, extern_types, rustc_attrs, abi_vectorcall, linkage, fn_align)]
#![allow(internal_features, incomplete_features)]
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::arch::{asm, global_asm, naked_asm};
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::mem::transmute;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, RwLock};

#[cfg(target_arch = "x86_64")]
global_asm!(".globl nothing_at_all", "nothing_at_all:", "ret");

#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub extern "C" fn answer() -> u32 {
    naked_asm!("mov eax, 42", "ret")
}

#[cfg(target_arch = "x86_64")]
pub fn assembly(lock: &Mutex<u64>) -> u64 {
    let guard = lock.lock().unwrap();
    let mut out = *guard;
    unsafe {
        asm!("add {0}, {1}", inout(reg) out, in(reg) 3u64, options(pure, nomem));
        asm!("/* {} {} */", const 5, sym answer);
        asm!(
            "test {0}, {0}",
            "jz {1}",
            in(reg) out,
            label {
                drop(guard);
                *lock.lock().unwrap() = 1;
                return 0;
            }
        );
    }
    *lock.lock().unwrap() = out;
    out
}

#[cfg(target_arch = "x86_64")]
pub fn endless(lock: &Mutex<u64>) -> ! {
    let _guard = lock.lock().unwrap();
    unsafe { asm!("2:", "jmp 2b", options(noreturn)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn stalemate_corpus_bump(lock: *const Mutex<u32>) -> u32 {
    let Some(lock) = (unsafe { lock.as_ref() }) else { return 0 };
    let n = *lock.lock().unwrap();
    *lock.lock().unwrap() = n + 1;
    n
}

#[unsafe(export_name = "stalemate_corpus_sum")]
pub unsafe extern "C" fn sum(count: usize, mut rest: ...) -> u64 {
    static TOTAL: Mutex<u64> = Mutex::new(0);
    let before = *TOTAL.lock().unwrap();
    let mut sum = before;
    for _ in 0..count {
        sum += unsafe { rest.next_arg::<u64>() };
    }
    *TOTAL.lock().unwrap() = sum;
    sum
}

pub struct Spin<T: ?Sized> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

unsafe impl<T: ?Sized + Send> Sync for Spin<T> {}

pub struct SpinGuard<'a, T: ?Sized> {
    lock: &'a Spin<T>,
    stays_here: PhantomData<*const ()>,
}

impl<T: ?Sized> Spin<T> {
    pub fn lock(&self) -> SpinGuard<'_, T> {
        while self.taken.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        fence(Ordering::SeqCst);
        SpinGuard { lock: self, stays_here: PhantomData }
    }
}

impl<T: ?Sized> Deref for SpinGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        unsafe { &*self.lock.value.get() }
    }
}

impl<T: ?Sized> DerefMut for SpinGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T: ?Sized> Drop for SpinGuard<'_, T> {
    fn drop(&mut self) {
        self.lock.taken.store(false, Ordering::Release);
    }
}

pub fn spun(lock: &Spin<Vec<u32>>) -> usize {
    let length = lock.lock().len();
    lock.lock().push(length as u32);
    length
}

pub struct Stack<T> {
    head: AtomicPtr<Node<T>>,
    length: AtomicUsize,
}

struct Node<T> {
    value: Mutex<T>,
    next: *mut Node<T>,
}

impl<T: Copy> Stack<T> {
    pub fn push(&self, value: T) {
        let layout = Layout::new::<Node<T>>();
        let node = unsafe { alloc(layout) }.cast::<Node<T>>();
        let Some(node) = NonNull::new(node) else { handle_alloc_error(layout) };
        let node = node.as_ptr();
        unsafe { ptr::write(node, Node { value: Mutex::new(value), next: ptr::null_mut() }) };
        loop {
            let head = self.head.load(Ordering::Relaxed);
            unsafe { (*node).next = head };
            if self.head.compare_exchange(head, node, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                break;
            }
        }
        let length = self.length.load(Ordering::Relaxed);
        self.length.store(length + 1, Ordering::Relaxed);
    }

    pub fn first(&self) -> Option<T> {
        let head = unsafe { self.head.load(Ordering::Acquire).as_ref() }?;
        let value = *head.value.lock().unwrap();
        *head.value.lock().unwrap() = value;
        Some(value)
    }

    pub unsafe fn clear(&mut self) {
        let mut next = std::mem::replace(self.head.get_mut(), ptr::null_mut());
        while !next.is_null() {
            let node = next;
            next = unsafe { (*node).next };
            unsafe { ptr::drop_in_place(node) };
            unsafe { dealloc(node.cast(), Layout::new::<Node<T>>()) };
        }
    }
}

pub fn transmuted(lock: &Mutex<u32>) -> u32 {
    let signed: &Mutex<i32> = unsafe { transmute(lock) };
    let n = *signed.lock().unwrap();
    *lock.lock().unwrap() = n as u32;
    let address = lock as *const Mutex<u32> as usize;
    let again = unsafe { &*(address as *const Mutex<u32>) };
    *again.lock().unwrap() = n as u32 + 1;
    let offset = unsafe { &*(lock as *const Mutex<u32>).wrapping_add(1).offset(-1) };
    *offset.lock().unwrap()
}

pub fn extended<'a>(lock: &'a RwLock<u32>) -> u32 {
    let guard: std::sync::RwLockReadGuard<'static, u32> = unsafe { transmute(lock.read().unwrap()) };
    let n = *guard;
    drop(guard);
    *lock.write().unwrap() = n;
    n
}

pub fn binder(lock: &Mutex<u32>) -> u32 {
    let bound: unsafe<'a> &'a Mutex<u32> = unsafe { std::unsafe_binder::wrap_binder!(lock) };
    let lock: &Mutex<u32> = unsafe { std::unsafe_binder::unwrap_binder!(bound) };
    let n = *lock.lock().unwrap();
    *lock.lock().unwrap() = n + 1;
    n
}

pub fn intrinsics(lock: &Mutex<[u32; 8]>, other: &Mutex<[u32; 8]>) -> u32 {
    let from = lock.lock().unwrap();
    let mut to = other.lock().unwrap();
    unsafe {
        ptr::copy_nonoverlapping(from.as_ptr(), to.as_mut_ptr(), 8);
        std::intrinsics::assume(from[0] < 8);
        ptr::swap(&raw mut to[0], &raw mut to[1]);
        ptr::write_volatile(&raw mut to[2], ptr::read_volatile(&raw const from[2]));
        if from[0] == 9 {
            std::hint::unreachable_unchecked()
        }
    }
    to[from[0] as usize]
}
