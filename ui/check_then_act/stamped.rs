//! The function that acts asks under the lock when it was last done, and leaves it if somebody was faster: it looks for itself, though
//! not at what its caller saw.
use std::sync::RwLock;

pub struct Cluster {
    members: Vec<String>,
    made: u64,
}

pub struct Client {
    cluster: RwLock<Cluster>,
}

impl Client {
    fn is_broken(&self) -> bool {
        self.cluster.read().unwrap().members.is_empty()
    }

    fn renew(&self, now: u64) {
        let mut cluster = self.cluster.write().unwrap();
        if now > cluster.made + 1000 {
            let mut members = cluster.members.clone();
            members.push(String::new());
            cluster.members = members;
            cluster.made = now;
        }
    }

    fn renew_blindly(&self, now: u64) {
        let mut cluster = self.cluster.write().unwrap();
        cluster.members = vec![String::new()];
        cluster.made = now;
    }

    pub fn ask_ok(&self, now: u64) {
        if self.cluster.read().unwrap().members.is_empty() {
            self.renew(now);
        }
    }

    pub fn ask_far_ok(&self, now: u64) {
        if self.is_broken() {
            self.renew(now);
        }
    }

    pub fn ask_bad(&self, now: u64) {
        if self.cluster.read().unwrap().members.is_empty() {
            self.renew_blindly(now); //~ check_then_act
        }
    }
}
