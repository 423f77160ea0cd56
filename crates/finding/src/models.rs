//! Rows of models as users write them in their settings: which keys there are and what may stand there. The lint library
//! gives them their meaning; here is what a front-end must know to refuse a misspelt one before anything is compiled.

/// What may stand behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    Text,
    Switch,
    /// The number of an argument, counted from 0.
    Argument,
    OneOf(&'static [&'static str]),
}

pub const MODES: &[&str] = &["shared", "exclusive"];

/// Which way a call counts.
pub const COUNTS: &[&str] = &["up", "down"];
pub const KINDS: &[&str] = &["guarded", "map", "atomic"];

/// What a call can do beyond the memory of the thread.
pub const EFFECTS: &[&str] = &["acts", "blocks", "io", "sends", "spawns"];

/// Every meaning of a call.
pub const MEANINGS: &[&str] = &[
    "acquire", "add", "adjust", "alias", "compare", "demand", "enlist", "exchange", "handle", "hint", "index", "look",
    "merge", "new", "notify", "order", "owners", "part", "pass", "peek", "poll", "put", "remove", "sift", "sleep",
    "swap", "take", "try", "update", "wait",
];

/// One kind of rows: its name, the keys that it cannot do without, and all keys.
#[derive(Debug)]
pub struct Rows {
    pub name: &'static str,
    pub needed: &'static [&'static str],
    pub keys: &'static [(&'static str, Holds)],
}

/// The keys of all kinds of rows.
pub const ROWS: &[Rows] = &[
    Rows {
        name: "lock",
        needed: &["type"],
        keys: &[
            ("type", Holds::Text),
            ("kind", Holds::OneOf(KINDS)),
            ("reentrant", Holds::Switch),
            ("for_tasks", Holds::Switch),
            ("behind", Holds::Switch),
            ("at_once", Holds::Text),
        ],
    },
    Rows { name: "guard", needed: &["type"], keys: &[("type", Holds::Text)] },
    Rows { name: "waker", needed: &["type"], keys: &[("type", Holds::Text)] },
    Rows {
        name: "call",
        needed: &["fn", "means"],
        keys: &[
            ("fn", Holds::Text),
            ("means", Holds::OneOf(MEANINGS)),
            ("on", Holds::Text),
            ("section", Holds::OneOf(MODES)),
            ("by_type", Holds::Switch),
            ("mode", Holds::OneOf(MODES)),
            ("fallible", Holds::Switch),
            ("async", Holds::Switch),
            ("looks", Holds::Switch),
            ("recursive", Holds::Switch),
            ("tested", Holds::Switch),
            ("timed", Holds::Switch),
            ("exact", Holds::Switch),
            ("kept", Holds::Switch),
            ("weak", Holds::Switch),
            ("through", Holds::Switch),
            ("fills", Holds::Switch),
            ("counts", Holds::OneOf(COUNTS)),
            ("guard", Holds::Argument),
            ("position", Holds::Argument),
            ("value", Holds::Argument),
        ],
    },
    Rows { name: "effect", needed: &["path", "does"], keys: &[("path", Holds::Text), ("does", Holds::OneOf(EFFECTS))] },
    Rows { name: "atomic", needed: &["fn"], keys: &[("fn", Holds::Text)] },
    Rows { name: "requires", needed: &["fn", "lock"], keys: &[("fn", Holds::Text), ("lock", Holds::Text)] },
    Rows { name: "guarded_by", needed: &["field", "lock"], keys: &[("field", Holds::Text), ("lock", Holds::Text)] },
    Rows { name: "benign", needed: &["fn", "reason"], keys: &[("fn", Holds::Text), ("reason", Holds::Text)] },
];

/// The keys that a meaning cannot do without.
pub fn needed(meaning: &str) -> &'static [&'static str] {
    match meaning {
        "acquire" => &["mode"],
        "wait" => &["guard"],
        "update" => &["position"],
        "put" => &["value"],
        _ => &[],
    }
}
