//! One lock that several objects have an `Arc` of: it is a field here and a field there.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

pub struct Event(u32);
pub struct Operation(u32);

type Operations = Arc<Mutex<HashMap<u32, Operation>>>;

struct Worker {
    events: Arc<Mutex<Vec<Event>>>,
    operations: Operations,
}

impl Worker {
    fn fire_due_bad(&self) {
        let mut events = self.events.lock().unwrap();
        while let Some(event) = events.pop() {
            self.fire(event); //~ lock_order
        }
    }

    fn fire(&self, event: Event) {
        self.operations.lock().unwrap().remove(&event.0);
    }

    fn run(&self) {
        self.fire_due_bad();
    }
}

struct Timer {
    events: Arc<Mutex<Vec<Event>>>,
}

impl Timer {
    fn new(operations: Operations) -> Timer {
        let events = Arc::new(Mutex::new(Vec::new()));
        let worker = Worker { events: events.clone(), operations };
        std::thread::spawn(move || worker.run());
        Timer { events }
    }

    fn schedule(&mut self, event: Event) {
        self.events.lock().unwrap().push(event);
    }
}

pub struct Debounce {
    operations: Operations,
    timer: Timer,
}

impl Debounce {
    pub fn new() -> Debounce {
        let operations = Operations::default();
        Debounce { timer: Timer::new(operations.clone()), operations }
    }

    pub fn event(&mut self, path: u32) {
        let mut operations = self.operations.lock().unwrap();
        operations.insert(path, Operation(1));
        self.timer.schedule(Event(path));
    }

    pub fn event_again(&mut self, path: u32) {
        let mut operations = self.operations.lock().unwrap();
        operations.insert(path, Operation(2));
        self.timer.schedule(Event(path));
    }
}

/// The same, and the first lock is let go before.
pub struct Task(u32);
pub struct Outcome(u32);

struct Runner {
    tasks: Arc<Mutex<Vec<Task>>>,
    outcomes: Arc<Mutex<Vec<Outcome>>>,
}

impl Runner {
    fn run_ok(&self) {
        let task = self.tasks.lock().unwrap().pop();
        if let Some(task) = task {
            self.outcomes.lock().unwrap().push(Outcome(task.0));
        }
    }
}

pub struct Planner {
    tasks: Arc<Mutex<Vec<Task>>>,
    outcomes: Arc<Mutex<Vec<Outcome>>>,
}

impl Planner {
    pub fn plan_ok(&self) {
        let outcomes = self.outcomes.lock().unwrap();
        self.tasks.lock().unwrap().push(Task(outcomes.len() as u32));
    }
}

/// What protects nothing of this crate may be any lock.
struct Left {
    one: Arc<Mutex<u32>>,
    two: Arc<Mutex<Vec<u32>>>,
}

impl Left {
    fn forth_ok(&self) {
        let one = self.one.lock().unwrap();
        self.two.lock().unwrap().push(*one);
    }
}

pub struct Right {
    one: Arc<Mutex<u32>>,
    two: Arc<Mutex<Vec<u32>>>,
}

impl Right {
    pub fn back_ok(&self) {
        let two = self.two.lock().unwrap();
        *self.one.lock().unwrap() = two.len() as u32;
    }
}

/// Where an object has two of them, the type does not tell which one is meant.
pub struct Node(u32);
pub struct Index(u32);

pub struct Tree {
    left: Arc<RwLock<Node>>,
    right: Arc<RwLock<Node>>,
    index: Arc<Mutex<Index>>,
}

impl Tree {
    pub fn left_ok(&self) {
        let left = self.left.write().unwrap();
        self.index.lock().unwrap().0 = left.0;
    }

    pub fn right_ok(&self) {
        let right = self.right.write().unwrap();
        self.index.lock().unwrap().0 = right.0;
    }
}

pub struct Walk {
    node: Arc<RwLock<Node>>,
    index: Arc<Mutex<Index>>,
}

impl Walk {
    pub fn walk_ok(&self) {
        let index = self.index.lock().unwrap();
        self.node.write().unwrap().0 = index.0;
    }
}

/// In a variant, and in a field.
pub struct Screen(u32);
pub struct Bar {
    state: Arc<Mutex<BarState>>,
}

pub struct BarState {
    target: Target,
}

enum Target {
    Hidden,
    Remote(Arc<RwLock<Screen>>),
}

impl Target {
    fn width(&self) -> u32 {
        match self {
            Target::Hidden => 0,
            Target::Remote(screen) => screen.read().unwrap().0,
        }
    }
}

impl Bar {
    fn state(&self) -> std::sync::MutexGuard<'_, BarState> {
        self.state.lock().unwrap()
    }

    pub fn draw(&self) -> u32 {
        self.state().target.width()
    }

    pub fn draw_again(&self) -> u32 {
        self.state().target.width()
    }

    fn index(&self) -> u32 {
        match &self.state().target {
            Target::Hidden => 0,
            Target::Remote(_) => 1,
        }
    }
}

pub struct Screens {
    screen: Arc<RwLock<Screen>>,
}

impl Screens {
    pub fn insert_bad(&self, before: &Bar) {
        let mut screen = self.screen.write().unwrap();
        screen.0 += before.index(); //~ lock_order
    }

    pub fn insert_ok(&self, before: &Bar) {
        let index = before.index();
        self.screen.write().unwrap().0 += index;
    }
}
