//! Where locks can be: arrays, slices, tuples, unions, enums, statics, constants, thread locals, boxes, behind pointers.
#![feature(thread_local, extern_types, unsized_fn_params, deref_patterns, ptr_metadata)]
#![allow(internal_features, incomplete_features, static_mut_refs)]
use std::cell::{Cell, RefCell, UnsafeCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, RwLock, Weak};

pub static ONE: Mutex<u32> = Mutex::new(0);
pub static MANY: [Mutex<u32>; 4] = [const { Mutex::new(0) }; 4];
pub static LAZY: LazyLock<Mutex<HashMap<u32, Arc<Mutex<u32>>>>> = LazyLock::new(Default::default);
pub static ONCE: OnceLock<RwLock<Vec<u32>>> = OnceLock::new();
pub static TUPLE: (Mutex<u32>, RwLock<(u32, [u8; 3])>) = (Mutex::new(0), RwLock::new((0, [0; 3])));
pub static REFERENCE: &Mutex<u32> = &ONE;
pub static mut BARE: Mutex<u32> = Mutex::new(1);
pub const EACH_ITS_OWN: Mutex<u32> = Mutex::new(7);
pub static EMPTY: Mutex<()> = Mutex::new(());

#[thread_local]
pub static NEAR: Mutex<u32> = Mutex::new(0);

thread_local! {
    static OWN: Mutex<u32> = const { Mutex::new(0) };
    static CELL: RefCell<Option<Arc<Mutex<u32>>>> = RefCell::new(None);
}

pub fn statics() -> u32 {
    let n = *ONE.lock().unwrap() + *MANY[2].lock().unwrap() + *REFERENCE.lock().unwrap() + *NEAR.lock().unwrap();
    *MANY[n as usize % 4].lock().unwrap() = n;
    *TUPLE.0.lock().unwrap() = TUPLE.1.read().unwrap().0;
    TUPLE.1.write().unwrap().1[1] = n as u8;
    *EACH_ITS_OWN.lock().unwrap() += n;
    let _zero = EMPTY.lock().unwrap();
    unsafe { *BARE.lock().unwrap() += *(&raw const BARE).as_ref().unwrap().lock().unwrap() };
    ONCE.get_or_init(Default::default).write().unwrap().push(n);
    *NEAR.lock().unwrap() = n;
    n
}

pub fn lazily(key: u32) -> u32 {
    let found = LAZY.lock().unwrap().get(&key).cloned();
    let lock = found.unwrap_or_else(|| Arc::clone(LAZY.lock().unwrap().entry(key).or_default()));
    let n = *lock.lock().unwrap();
    *lock.lock().unwrap() = n + 1;
    n
}

pub fn locals() -> u32 {
    OWN.with(|own| {
        let n = *own.lock().unwrap();
        *own.lock().unwrap() = n + 1;
    });
    CELL.with_borrow_mut(|cell| {
        let lock = cell.get_or_insert_default();
        let n = *lock.lock().unwrap();
        *lock.lock().unwrap() = n + 1;
        n
    })
}

#[repr(C)]
pub union Either {
    lock: ManuallyDrop<Mutex<u32>>,
    number: u64,
}

impl Either {
    pub fn bump(&self) -> u32 {
        unsafe {
            let n = *self.lock.lock().unwrap();
            *self.lock.lock().unwrap() = n + self.number as u32;
            n
        }
    }

    pub fn matched(&self) -> u32 {
        unsafe {
            match self {
                Either { number: 0 } => 0,
                Either { lock } => *lock.lock().unwrap(),
            }
        }
    }
}

pub enum Shape {
    None,
    One(Mutex<u32>),
    Two { a: Mutex<u32>, b: Box<RwLock<Shape>> },
    Many(Vec<Shape>),
}

impl Shape {
    pub fn sum(&self) -> u32 {
        match self {
            Shape::None => 0,
            Shape::One(lock) => *lock.lock().unwrap(),
            Shape::Two { a, b } => {
                let inner = b.read().unwrap();
                let n = *a.lock().unwrap();
                *a.lock().unwrap() = n + inner.sum();
                n
            }
            Shape::Many(all) => all.iter().map(Shape::sum).sum(),
        }
    }

    pub fn become_many(&mut self) {
        let old = std::mem::replace(self, Shape::None);
        *self = Shape::Many(vec![old, Shape::One(Mutex::new(0))]);
        if let Shape::Many(all) = self
            && let [Shape::One(first), ..] = &mut all[..]
        {
            *first.get_mut().unwrap() = 3;
            let n = *first.lock().unwrap();
            *first.lock().unwrap() = n;
        }
    }
}

pub fn boxed(shape: Box<(Mutex<u32>, Option<Box<Mutex<u32>>>)>) -> u32 {
    let (first, second) = *shape;
    let n = *first.lock().unwrap();
    if let Some(second) = second {
        *second.lock().unwrap() += n;
        return *second.lock().unwrap();
    }
    n
}

pub fn collections(
    map: &BTreeMap<String, Mutex<u32>>,
    queue: &VecDeque<Arc<RwLock<u32>>>,
    slice: &[Mutex<u32>],
    nested: &Mutex<Mutex<Mutex<u32>>>,
    cells: (&RefCell<Mutex<u32>>, &Cell<u32>, Rc<Mutex<u32>>, Weak<Mutex<u32>>),
) -> u32 {
    let mut sum = 0;
    for (name, lock) in map {
        sum += *lock.lock().unwrap() + name.len() as u32;
        *lock.lock().unwrap() = sum;
    }
    for lock in queue.iter().rev() {
        let n = *lock.read().unwrap();
        *lock.write().unwrap() = n + sum;
    }
    if let [first, middle @ .., last] = slice {
        let n = *first.lock().unwrap();
        *last.lock().unwrap() = n + middle.len() as u32;
    }
    let (left, right) = slice.split_at(slice.len() / 2);
    std::mem::swap(&mut *left[0].lock().unwrap(), &mut *right[0].lock().unwrap());
    *nested.lock().unwrap().lock().unwrap().lock().unwrap() += 1;
    let upgraded = cells.3.upgrade();
    cells.1.set(*cells.0.borrow().lock().unwrap() + *cells.2.lock().unwrap());
    sum + upgraded.map_or(0, |lock| *lock.lock().unwrap())
}

#[repr(C, packed(2))]
pub struct Packed {
    tag: u8,
    lock: ManuallyDrop<Arc<Mutex<u32>>>,
}

impl Packed {
    pub fn bump(&self) -> u32 {
        let lock = unsafe { std::ptr::read_unaligned(&raw const self.lock) };
        let n = *lock.lock().unwrap();
        *lock.lock().unwrap() = n + self.tag as u32;
        n
    }
}

#[repr(transparent)]
pub struct Racy(UnsafeCell<Mutex<u32>>);

unsafe impl Sync for Racy {}

impl Racy {
    pub fn bump(&self) -> u32 {
        unsafe {
            let lock = &mut *self.0.get();
            let n = *lock.lock().unwrap();
            *lock.get_mut().unwrap() = n + 1;
            (*(self.0.get() as *const u8 as *const Mutex<u32>)).lock().map_or(0, |n| *n)
        }
    }
}

unsafe extern "C" {
    pub type Opaque;
    fn handle(of: *const Opaque) -> *const Mutex<u32>;
}

pub fn foreign(opaque: &Opaque) -> u32 {
    let lock = unsafe { &*handle(opaque) };
    let n = *lock.lock().unwrap();
    *lock.lock().unwrap() = n + 1;
    n
}

pub fn unsized_argument(action: dyn FnOnce(&Mutex<u32>) -> u32, slice: [Mutex<u32>]) -> u32 {
    let n = *slice[0].lock().unwrap();
    *slice[0].lock().unwrap() = n;
    action(&slice[0])
}

pub struct Tail<T: ?Sized> {
    head: Mutex<u32>,
    tail: RwLock<T>,
}

pub fn unsized_lock(all: &Tail<[Mutex<u32>]>, any: &Mutex<dyn Fn() -> u32 + Send>) -> u32 {
    let n = *all.tail.read().unwrap()[0].lock().unwrap();
    *all.head.lock().unwrap() = n;
    let coerced: &Tail<[u8]> = &Tail { head: Mutex::new(1), tail: RwLock::new([1, 2, 3]) };
    coerced.tail.write().unwrap()[0] = *coerced.head.lock().unwrap() as u8;
    any.lock().unwrap()() + n
}
