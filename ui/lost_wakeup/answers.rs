//! Requests that are sent before the one who waits for the answer can be found.
#![allow(dead_code)]

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tokio::sync::{mpsc, oneshot};

pub struct Request {
    number: u64,
    text: String,
}

impl Request {
    fn new(number: u64, text: String) -> Request {
        Request { number, text }
    }
}

pub struct Client {
    next: AtomicU64,
    requests: mpsc::Sender<Request>,
    pending: Mutex<HashMap<u64, oneshot::Sender<String>>>,
}

impl Client {
    pub fn answer(&self, number: u64, text: String) {
        if let Some(waiting) = self.pending.lock().unwrap().remove(&number) {
            let _ = waiting.send(text);
        }
    }

    pub async fn ask_bad(&self, text: String) -> Option<String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.requests.send(Request::new(number, text)).await.ok()?;
        let (waiting, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(number, waiting); //~ lost_wakeup
        answer.await.ok()
    }

    pub async fn ask_ok(&self, text: String) -> Option<String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (waiting, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(number, waiting);
        if self.requests.send(Request::new(number, text)).await.is_err() {
            self.pending.lock().unwrap().remove(&number);
            return None;
        }
        answer.await.ok()
    }

    fn send(&self, request: Request) -> bool {
        self.requests.try_send(request).is_ok()
    }

    pub fn ask_through_bad(&self, mut request: Request) -> oneshot::Receiver<String> {
        let (waiting, answer) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        request.number = number;
        if self.send(request) {
            self.pending.lock().unwrap().insert(number, waiting); //~ lost_wakeup
        }
        answer
    }

    pub fn ask_through_ok(&self, mut request: Request) -> oneshot::Receiver<String> {
        let (waiting, answer) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        request.number = number;
        self.pending.lock().unwrap().insert(number, waiting);
        if !self.send(request) {
            self.pending.lock().unwrap().remove(&number);
        }
        answer
    }

    /// What is sent before is only that there is something to do.
    pub fn ask_woken_ok(&self, request: Request) -> oneshot::Receiver<String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.send(request);
        let (waiting, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(number, waiting);
        answer
    }

    /// The next round has a number of its own.
    pub async fn ask_all_ok(&self, texts: Vec<String>) -> Vec<oneshot::Receiver<String>> {
        let mut answers = Vec::new();
        for text in texts {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let (waiting, answer) = oneshot::channel();
            self.pending.lock().unwrap().insert(number, waiting);
            let _ = self.requests.send(Request::new(number, text)).await;
            answers.push(answer);
        }
        answers
    }

    /// Something else was sent.
    pub async fn ask_after_ok(&self, text: String) -> Option<String> {
        let hello = self.next.fetch_add(1, Ordering::Relaxed);
        self.requests.send(Request::new(hello, String::new())).await.ok()?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (waiting, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(number, waiting);
        self.requests.send(Request::new(number, text)).await.ok()?;
        answer.await.ok()
    }
}

/// With a type of its own for those who wait.
pub struct Waiting(DashMap<u64, oneshot::Sender<String>>);

impl Waiting {
    pub fn answer(&self, number: u64, text: String) {
        if let Some((_, waiting)) = self.0.remove(&number) {
            let _ = waiting.send(text);
        }
    }

    pub fn wait(&self, number: u64) -> oneshot::Receiver<String> {
        match self.0.entry(number) {
            Entry::Vacant(entry) => {
                let (waiting, answer) = oneshot::channel();
                entry.insert(waiting);
                answer
            }
            Entry::Occupied(_) => panic!("two with one number"),
        }
    }
}

pub struct Server {
    next: AtomicU64,
    requests: mpsc::UnboundedSender<Request>,
    waiting: Waiting,
}

impl Server {
    pub async fn ask_bad(&self, text: String) -> Option<String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.requests.send(Request::new(number, text)).ok()?;
        self.waiting.wait(number).await.ok() //~ lost_wakeup
    }

    pub async fn ask_ok(&self, text: String) -> Option<String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let answer = self.waiting.wait(number);
        self.requests.send(Request::new(number, text)).ok()?;
        answer.await.ok()
    }
}

/// Who is connected asks, and waits for the answer and for nothing else.
pub struct Connected {
    connected: AtomicBool,
    next: AtomicU64,
    pending: Mutex<HashMap<u64, oneshot::Sender<String>>>,
}

impl Connected {
    fn register(&self) -> oneshot::Receiver<String> {
        let (waiting, answer) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.pending.lock().unwrap().insert(number, waiting);
        answer
    }

    pub fn ask_ok(&self) -> Option<oneshot::Receiver<String>> {
        if !self.connected.load(Ordering::Acquire) {
            return None;
        }
        Some(self.register())
    }

    pub fn receive(&self, hello: bool, number: u64) {
        if hello {
            self.connected.store(true, Ordering::Release);
        } else if let Some(waiting) = self.pending.lock().unwrap().remove(&number) {
            let _ = waiting.send(String::new());
        }
    }
}

/// Who closes it wakes all: who comes after that is never answered.
pub struct Closed {
    closed: AtomicBool,
    next: AtomicU64,
    pending: Mutex<HashMap<u64, oneshot::Sender<String>>>,
}

impl Closed {
    pub fn ask_bad(&self) -> Option<oneshot::Receiver<String>> {
        if self.closed.load(Ordering::Acquire) {
            return None;
        }
        let (waiting, answer) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.pending.lock().unwrap().insert(number, waiting); //~ lost_wakeup
        Some(answer)
    }

    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.pending.lock().unwrap().clear();
    }
}
