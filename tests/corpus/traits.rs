//! Traits in all shapes: specialization, upcasting, const traits, auto traits, dyn, impl Trait in every place.
#![feature(
    specialization, const_trait_impl, auto_traits, negative_impls, type_alias_impl_trait, impl_trait_in_assoc_type,
    associated_type_defaults, arbitrary_self_types, unboxed_closures, fn_traits, trait_alias, marker_trait_attr,
    return_type_notation, min_specialization, coerce_unsized, unsize, dispatch_from_dyn,
    derive_const, const_default, const_clone, default_field_values, decl_macro, supertrait_item_shadowing, impl_trait_in_fn_trait_return, impl_trait_in_bindings
)]
#![allow(incomplete_features)]
use std::any::Any;
use std::fmt::{Debug, Display};
use std::marker::Unsize;
use std::ops::{CoerceUnsized, Deref, DispatchFromDyn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

pub trait Count {
    fn count(&self) -> u32;
}

impl<T> Count for Mutex<T> {
    default fn count(&self) -> u32 {
        let _guard = self.lock().unwrap();
        1
    }
}

impl Count for Mutex<u32> {
    fn count(&self) -> u32 {
        let n = *self.lock().unwrap();
        *self.lock().unwrap() = n + 1;
        n
    }
}

pub fn specialized<T>(lock: &Mutex<T>, other: &Mutex<u32>) -> u32 {
    lock.count() + other.count() + <Mutex<u32> as Count>::count(other)
}

pub trait Base {
    fn base(&self) -> u32;
}
pub trait Middle: Base + Any {
    fn middle(&self) -> u32 {
        self.base()
    }
}
pub trait Top: Middle + Send + Sync {
    fn top(&self) -> u32;
}

pub struct Account {
    balance: Mutex<u32>,
    peers: RwLock<Vec<Arc<dyn Top>>>,
}

impl Base for Account {
    fn base(&self) -> u32 {
        *self.balance.lock().unwrap()
    }
}
impl Middle for Account {}
impl Top for Account {
    fn top(&self) -> u32 {
        let n = self.middle();
        *self.balance.lock().unwrap() = n;
        self.peers.read().unwrap().iter().map(|peer| peer.top()).sum()
    }
}

pub fn upcast(top: Arc<dyn Top>, lock: &Mutex<Option<Arc<dyn Base>>>) -> u32 {
    let as_base: &dyn Base = &*top;
    let n = as_base.base();
    *lock.lock().unwrap() = Some(top.clone());
    let any: Arc<dyn Any> = top;
    n + any.downcast_ref::<Account>().map_or(0, |account| *account.balance.lock().unwrap())
}

pub const trait Start {
    fn start() -> Self;
    fn step(&self) -> u32;
}

const impl Start for u32 {
    fn start() -> u32 {
        4
    }
    fn step(&self) -> u32 {
        *self + 1
    }
}

pub const fn made<T: [const] Start>() -> Mutex<T> {
    Mutex::new(T::start())
}

pub static MADE: Mutex<u32> = made();

pub fn stepped() -> u32 {
    let n = MADE.lock().unwrap().step();
    *MADE.lock().unwrap() = n;
    n
}

pub auto trait Calm {}
impl<T: ?Sized> !Calm for MutexGuard<'_, T> {}

pub fn calm<T: Calm + Clone>(lock: &Mutex<T>, value: T) -> T {
    let old = lock.lock().unwrap().clone();
    *lock.lock().unwrap() = value;
    old
}

pub type Taken<'a> = impl Deref<Target = u32> + 'a;

#[define_opaque(Taken)]
pub fn taken(lock: &Mutex<u32>) -> Taken<'_> {
    lock.lock().unwrap()
}

pub fn opaque(lock: &'static Mutex<u32>) -> impl for<'a> Fn(&'a u32) -> Box<dyn Fn() -> u32 + 'a> {
    move |add: &u32| {
        let n = *taken(lock);
        *lock.lock().unwrap() = n + add;
        let local: impl Fn() -> u32 = move || *lock.lock().unwrap();
        Box::new(local)
    }
}

pub trait Source {
    type Each: Iterator<Item = u32>;
    fn each(&self) -> Self::Each;
    fn late(&self) -> impl Iterator<Item = impl Display + Debug> + '_;
}

impl Source for Arc<Mutex<Vec<u32>>> {
    type Each = impl Iterator<Item = u32>;
    fn each(&self) -> Self::Each {
        let own = Arc::clone(self);
        (0..).map_while(move |at| own.lock().unwrap().get(at).copied())
    }
    fn late(&self) -> impl Iterator<Item = impl Display + Debug> + '_ {
        let all = self.lock().unwrap();
        (0..all.len()).map(move |at| all[at])
    }
}

pub fn sources(source: &Arc<Mutex<Vec<u32>>>) -> usize {
    let sum: u32 = source.each().sum();
    source.lock().unwrap().push(sum);
    source.late().map(|each| format!("{each}{each:?}").len()).sum()
}

pub struct Caller(Arc<Mutex<u32>>);

impl FnOnce<(u32,)> for Caller {
    type Output = u32;
    extern "rust-call" fn call_once(self, arguments: (u32,)) -> u32 {
        self.call(arguments)
    }
}
impl FnMut<(u32,)> for Caller {
    extern "rust-call" fn call_mut(&mut self, arguments: (u32,)) -> u32 {
        self.call(arguments)
    }
}
impl Fn<(u32,)> for Caller {
    extern "rust-call" fn call(&self, (n,): (u32,)) -> u32 {
        let old = *self.0.lock().unwrap();
        *self.0.lock().unwrap() = n;
        old
    }
}

pub fn called(caller: &Caller, pointer: fn(&Mutex<u32>) -> u32, lock: &Mutex<u32>) -> u32 {
    let n = caller(pointer(lock));
    *lock.lock().unwrap() = n;
    [1, 2].into_iter().map(caller).sum::<u32>() + (pointer as unsafe fn(&Mutex<u32>) -> u32 as usize as u32)
}

pub struct Smart<T: ?Sized>(Box<T>);

impl<T: ?Sized> Deref for Smart<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
impl<T: ?Sized + Unsize<U>, U: ?Sized> CoerceUnsized<Smart<U>> for Smart<T> {}
impl<T: ?Sized + Unsize<U>, U: ?Sized> DispatchFromDyn<Smart<U>> for Smart<T> {}

pub trait Own {
    fn by_smart(self: Smart<Self>) -> u32;
    fn by_pin(self: Pin<Rc<Self>>) -> u32;
    fn by_pair(self: &Rc<Self>) -> u32
    where
        Self: Sized;
}

impl Own for Mutex<u32> {
    fn by_smart(self: Smart<Self>) -> u32 {
        *self.lock().unwrap()
    }
    fn by_pin(self: Pin<Rc<Self>>) -> u32 {
        let n = *self.lock().unwrap();
        *self.lock().unwrap() = n;
        n
    }
    fn by_pair(self: &Rc<Self>) -> u32 {
        *self.lock().unwrap()
    }
}

pub fn receivers(lock: Rc<Mutex<u32>>) -> u32 {
    let any: Smart<dyn Own> = Smart(Box::new(Mutex::new(3)));
    lock.by_pair() + any.by_smart() + Pin::new(Rc::new(Mutex::new(1))).by_pin()
}

pub trait Shared = Deref<Target = Mutex<u32>> + Clone;

pub fn aliased<S: Shared>(shared: S) -> u32 {
    let n = *shared.lock().unwrap();
    *shared.clone().lock().unwrap() = n;
    n
}

pub struct Options {
    lock: Mutex<u32> = Mutex::new(3),
    name: &'static str = "x",
}

pub fn defaults() -> u32 {
    let options = Options { .. };
    let n = *options.lock.lock().unwrap();
    *options.lock.lock().unwrap() = n + options.name.len() as u32;
    n
}

pub macro bump($lock:expr, $($more:expr),* $(,)?) {{
    let seen = *$lock.lock().unwrap();
    *$lock.lock().unwrap() = seen $(+ $more)*;
    seen
}}

pub fn expanded(lock: &Mutex<u32>) -> u32 {
    bump!(lock, 1, 2, bump!(lock, 3,))
}
