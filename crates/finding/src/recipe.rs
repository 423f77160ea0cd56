//! How a finding can be run: what the driver, which knows the types, tells the front-end, which writes the witness.
//!
//! All texts are Rust, over a variable `it` that is a reference to the state that both threads share. They are meant for
//! a module that is put into the one named by [`Recipe::place`]: there private items can be seen.

use serde::{Deserialize, Serialize};

/// Stands where no value could be made; with a number and brackets behind it, as [`lacking`] writes it, it is one that is asked for.
pub const LACKING: &str = "stalemate_lacking";

/// Stands for a value of the type with this number in [`Recipe::missing`].
pub fn lacking(number: usize) -> String {
    format!("{LACKING}_{number}()")
}

/// Stands before a value that is put together from private fields: nothing says that the crate ever makes such a one.
pub const PRIVATE: &str = "/* private */ ";

/// How modules are called, before their number, that are tests and examples elsewhere: what these show how to make is looked at first.
pub const SHOWN: &str = "stalemate_shown_";

/// Keeps what is lent while a value is made, until the whole state is ready. Behind it stands the value and a `)`.
pub const LENT: &str = "stalemate_rt::witness::left(&stalemate_scope, ";

/// What has to stand before an expression with [`LENT`] in it.
pub const SCOPE: &str = "let stalemate_scope = stalemate_rt::witness::Scope;";

/// How a type is called that the witness has of its own, for traits that nothing else implements. All names are equally long.
pub fn stand_in_name(number: usize) -> String {
    format!("StandIn{number}")
}

/// One finding, to be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    pub fingerprint: String,
    /// Where the witness goes, if there is such a place.
    pub place: Option<Insertion>,
    pub state: State,
    /// What the thread does that the finding is about.
    pub a: Call,
    /// What the other one does.
    pub b: Call,
    /// Expressions of type `String`: what the state looks like in the end.
    pub observe: Vec<String>,
    /// Calls that may bring a fresh state to where the finding is.
    pub warmups: Vec<String>,
    /// Types of which somebody else has to make values, as they can be written in the witness.
    pub missing: Vec<String>,
    /// Items that the other texts name: stand-ins for types that implement some trait.
    #[serde(default)]
    pub items: String,
    /// A function is called that only its own module calls, and that may rely on what is done there before.
    #[serde(default)]
    pub enters_private: bool,
}

impl Recipe {
    /// Something is lent for the making of the state, and dropped when it is ready.
    pub fn leaves_something(&self) -> bool {
        self.state.make.as_ref().is_some_and(|text| text.contains(LENT))
    }

    /// A value in it may be one that the crate never makes.
    pub fn is_made_up(&self) -> bool {
        let calls = self.a.ways.iter().chain(&self.b.ways);
        calls.chain(&self.state.make).any(|text| text.contains(PRIVATE))
    }

    /// All types and calls are known; at most values are missing.
    pub fn is_typed(&self) -> bool {
        self.state.make.is_some() && !self.a.ways.is_empty() && !self.b.ways.is_empty()
    }

    /// All that is written of it, but the items.
    pub fn texts(&self) -> String {
        let calls = self.a.ways.iter().chain(&self.b.ways).chain(&self.observe).chain(&self.warmups);
        let all = calls.chain(&self.missing).chain(&self.state.make).chain([&self.state.type_name]);
        all.flat_map(|text| [text.as_str(), "\n"]).collect()
    }

    /// Why there is no program, if there is none.
    pub fn lacks(&self) -> Option<&Lacks> {
        self.a.lacks.as_ref().or(self.b.lacks.as_ref())
    }
}

/// The end of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// Relative to the workspace root, with forward slashes.
    pub file: String,
    /// The names of the modules on the way, from the crate root.
    pub module: Vec<String>,
    /// Where the brace stands that closes an inline module; `None` for a module that is a file.
    pub brace: Option<(u32, u32)>,
}

/// What both threads share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// `()` if it is all in statics.
    pub type_name: String,
    /// An expression that makes a fresh one, perhaps of what is missing; `None` if its type cannot be told.
    pub make: Option<String>,
    /// State that no expression can make anew: each run needs a process of its own.
    pub in_statics: bool,
}

/// A function and ways to call it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub function: String,
    /// Expressions, the most likely first, with [`lacking`] where a value is missing.
    pub ways: Vec<String>,
    pub shows: Shows,
    /// The result is a future.
    pub is_async: bool,
    /// Why there is no way.
    pub lacks: Option<Lacks>,
}

/// What can be seen of a result `r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    Nothing,
    Debug,
    /// An atomic, or what leads to one: whether it is the one that others have shows when it is counted up.
    Counter,
    /// An `Arc`: who else has it can be counted.
    Shared,
    /// The same in a `Result` or an `Option`.
    PerhapsShared,
}

/// What keeps a witness from being written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lacks {
    /// No value of this type could be made.
    Value { type_name: String },
    /// No types were found that these parameters can stand for.
    Types { parameters: Vec<String> },
    /// The function cannot be named from the place of the witness.
    Name,
    /// It needs the state alone, and there is no copy of it.
    Alone { type_name: String },
}
