//! A cycle of threads of which each waits for the next: with no further help, none will ever go on.

use crate::json::Json;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Each waits for a lock that the next one holds, the last for one of the first.
    pub members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub thread: u32,
    pub waits_for: usize,
    pub wait_site: String,
    /// Locks, and where they were taken.
    pub holds: Vec<(usize, String)>,
    pub stack: String,
}

impl Proof {
    pub(crate) fn json(&self) -> Json {
        Json::list(self.members.iter().map(Member::json))
    }
}

impl Member {
    pub(crate) fn json(&self) -> Json {
        let hold = |(object, site): &(usize, String)| {
            Json::object([("lock", Json::text(format!("{object:#x}"))), ("taken_at", Json::text(site))])
        };
        Json::object([
            ("thread", Json::number(self.thread as usize)),
            ("waits_for", Json::text(format!("{:#x}", self.waits_for))),
            ("at", Json::text(&self.wait_site)),
            ("holds", Json::list(self.holds.iter().map(hold))),
            ("stack", Json::list(self.stack.lines().map(Json::text))),
        ])
    }
}
