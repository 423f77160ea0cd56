//! The witness as a program: a module with one test, which goes one of its ways each time it is run.

use super::template;
use finding::recipe::{Call, LACKING, LENT, Recipe, SCOPE, Shows};
use std::fmt::Write;

/// The name of the module, and of the file that holds it.
pub fn module_name(fingerprint: &str) -> String {
    format!("stalemate_witness_{fingerprint}")
}

/// The one line that goes into the user's module. It has no line break, so that all places behind it stay where they are.
pub fn insertion(fingerprint: &str) -> String {
    let name = module_name(fingerprint);
    format!("#[cfg(test)] #[allow(warnings, clippy::all)] mod {name} {{ include!(\"{name}.in\"); }}")
}

/// The test, as the harness knows it.
pub fn test_name(recipe: &Recipe) -> Option<String> {
    let mut path = recipe.place.as_ref()?.module.clone();
    path.extend([module_name(&recipe.fingerprint), "witness".to_owned()]);
    Some(path.join("::"))
}

/// How many ways there are: preparations, calls of A, calls of B. Behind those of B stand as many as
/// [`compounds`] has, in which B does more than one thing.
pub fn ways(recipe: &Recipe) -> [usize; 3] {
    [preparations(recipe).len(), recipe.a.ways.len(), recipe.b.ways.len()]
}

/// What a thread that waits may need: more of B, or somebody like itself as well.
const COMPOUNDS: [&str; 2] = ["[b(it, 0), b(it, 0), b(it, 0)]", "[b(it, 0), b(it, 0), a(it, 0)]"];

/// The numbers of these ways.
pub fn compounds(recipe: &Recipe) -> impl Iterator<Item = usize> {
    let first = recipe.b.ways.len().max(1);
    (first..).take(COMPOUNDS.len())
}

/// The preparation that is B and then A, if there is one.
pub const BOTH: usize = 3;

/// Statements over `it`: nothing, then what may lead to the gap.
fn preparations(recipe: &Recipe) -> Vec<String> {
    let call = |call: &Call| {
        let way = call.ways.first()?;
        Some(called(call, way))
    };
    let statement = |call: String| format!("let _ = {call};");
    let (a, b) = (call(&recipe.a).map(statement), call(&recipe.b).map(statement));
    let both = b.iter().zip(&a).map(|(b, a)| format!("{b} {a}")).next();
    let calls = [b, a, both].into_iter().flatten().chain(recipe.warmups.iter().cloned().map(statement));
    [String::new()].into_iter().chain(calls).collect()
}

const FRONT: &str = "\
// Written by `cargo stalemate confirm`: two functions on one state, run in both orders and then interleaved.
";

/// How a witness gets the facade.
const LIBRARY: &str = "extern crate stalemate_rt;\n";

const NAMES: &str = "\
use std::prelude::rust_2021::*;
use std::{format, vec};
";

/// With the facade, who waits for what is known. In the edition of 2015 other ways begin at the root of the crate.
const WAITS: &str = "use self::stalemate_rt::witness::wait_for;\n";

/// Without it, a future is asked again and again.
const SPINS: &str = "
/// Runs a future to its end.
fn wait_for<F: std::future::Future>(future: F) -> F::Output {
    struct Nobody;
    impl std::task::Wake for Nobody {
        fn wake(self: std::sync::Arc<Self>) {}
    }
    let waker = std::task::Waker::from(std::sync::Arc::new(Nobody));
    let mut future = Box::pin(future);
    loop {
        if let std::task::Poll::Ready(out) = future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
            return out;
        }
        std::thread::yield_now();
    }
}
";

/// The text of the witness; with the word for what is unfinished, once, where something is lacking.
pub fn text(recipe: &Recipe) -> String {
    if !recipe.is_typed() {
        return untyped(recipe);
    }
    let mut text = format!("{FRONT}{LIBRARY}{NAMES}{WAITS}");
    text.push_str(&recipe.items);
    text.push_str(&template::values(recipe));
    states(&mut text, recipe);
    function(&mut text, "a", &recipe.a, &[], shown);
    function(&mut text, "b", &recipe.b, &COMPOUNDS, shown);
    let seen: Vec<&str> = recipe.observe.iter().map(String::as_str).collect();
    let seen = if seen.is_empty() { "String::new()".to_owned() } else { format!("[{}].join(\"; \")", seen.join(", ")) };
    let _ = write!(text, "\nfn seen(it: &'static Shared) -> String {{\n    {seen}\n}}\n");
    text.push_str(END);
    template::filled(recipe, text)
}

/// A witness in which all is left to somebody else.
pub fn untyped(recipe: &Recipe) -> String {
    format!("{FRONT}{LIBRARY}{NAMES}{WAITS}{}{END}", template::whole(recipe))
}

/// The test.
const END: &str = "
#[test]
fn witness() {
    let [first, a_way, b_way] = stalemate_rt::witness::attempt();
    stalemate_rt::witness::Pair::new(move || prepared(first), move |it| a(it, a_way), move |it| b(it, b_way))
        .observe(|it| seen(it))
        .as_told()
        .main()
}
";

/// The end of a witness for Miri: all ways in turn, one thread after the other or both at once, as the environment wants it.
const RACING: &str = "
#[test]
fn witness() {
    let both = std::env::var(\"STALEMATE_ORDER\").is_ok_and(|order| order == \"both\");
    for (first, way) in (0..PREPARATIONS).flat_map(|first| (0..WAYS).map(move |way| (first, way))) {
        for b_is_first in [false, true] {
            let it = prepared(first);
            let acts: [fn(&'static Shared, usize) -> String; 2] = if b_is_first { [b, a] } else { [a, b] };
            let threads = acts.map(|act| {
                let thread = std::thread::spawn(move || drop(act(it, way)));
                if both { Some(thread) } else { let _ = thread.join(); None }
            });
            threads.into_iter().flatten().for_each(|thread| drop(thread.join()));
        }
    }
}
";

/// What a witness uses of the facade, for one that is compiled without it.
const WITHOUT_FACADE: &str = "
mod stalemate_rt {
    pub mod witness {
        pub struct Scope;
        pub fn left<T: 'static>(_: &Scope, value: T) -> &T {
            std::boxed::Box::leak(std::boxed::Box::new(value))
        }
        pub fn shown<T: ?Sized>(_: &T) -> std::string::String {
            std::string::String::new()
        }
        pub use shown as shared;
    }
}
";

/// How many preparations and ways of calling Miri is given: it is slow.
const RACING_PREPARATIONS: usize = 4;
const RACING_WAYS: usize = 2;

/// The witness for Miri. It needs nothing but std, and nobody looks at what comes of the calls. What somebody has finished by
/// hand stays as it is, up to the test at its end.
pub fn racing(recipe: &Recipe, finished: &str) -> String {
    let mut text = NAMES.to_owned();
    if recipe.lacks().is_some() {
        text = finished.split(END.trim_end()).next().unwrap_or(finished).replace(LIBRARY, "").replace(WAITS, "");
    } else {
        states(&mut text, recipe);
        function(&mut text, "a", &recipe.a, &[], unseen);
        function(&mut text, "b", &recipe.b, &[], unseen);
    }
    text.push_str(SPINS);
    text.push_str(WITHOUT_FACADE);
    let [first, a, b] = ways(recipe);
    let count = |most: usize, number: usize| number.clamp(1, most).to_string();
    text.push_str(
        &RACING
            .replace("PREPARATIONS", &count(RACING_PREPARATIONS, first))
            .replace("WAYS", &count(RACING_WAYS, a.max(b))),
    );
    text
}

/// What makes the state, and brings it to where it is interesting.
fn states(text: &mut String, recipe: &Recipe) {
    let state = &recipe.state;
    let make = state.make.as_deref().unwrap_or(LACKING);
    let _ = write!(
        text,
        "\n/// What both share.\ntype Shared = {};\n\nfn make() -> Shared {{\n    {}{make}\n}}\n",
        state.type_name,
        scope(make)
    );
    let _ = write!(
        text,
        "\nfn prepared(which: usize) -> &'static Shared {{\n    let it: &'static Shared = Box::leak(Box::new(make()));\n    match which {{\n"
    );
    for (number, statement) in preparations(recipe).iter().enumerate().skip(1) {
        let _ = writeln!(text, "        {number} => {{ {}{statement} }}", scope(statement));
    }
    text.push_str("        _ => {}\n    }\n    it\n}\n");
}

fn function(text: &mut String, name: &str, call: &Call, compounds: &[&str], shown: fn(&Call, &str) -> String) {
    let _ = write!(
        text,
        "\n/// `{}`.\nfn {name}(it: &'static Shared, way: usize) -> String {{\n    match way {{\n",
        call.function
    );
    for (number, way) in call.ways.iter().enumerate().skip(1) {
        let _ = writeln!(text, "        {number} => {}", shown(call, way));
    }
    for (number, compound) in (call.ways.len().max(1)..).zip(compounds) {
        let _ = writeln!(text, "        {number} => {compound}.join(\", \"),");
    }
    let first = call.ways.first().map_or(LACKING, String::as_str);
    let _ = writeln!(text, "        _ => {}\n    }}\n}}", shown(call, first));
}

/// Whatever is lent in an expression needs it.
fn scope(expression: &str) -> String {
    if expression.contains(LENT) { format!("{SCOPE} ") } else { String::new() }
}

fn called(call: &Call, way: &str) -> String {
    if call.is_async { format!("wait_for({way})") } else { way.to_owned() }
}

/// A block that makes the call, and nothing more.
fn unseen(call: &Call, way: &str) -> String {
    format!("{{ {}let _ = {}; String::new() }}", scope(way), called(call, way))
}

/// A block that makes the call, and shows what came of it.
fn shown(call: &Call, way: &str) -> String {
    let way = called(call, way);
    let shown = match call.shows {
        Shows::Nothing => "String::new()",
        Shows::Debug => "stalemate_rt::witness::shown(&result)",
        Shows::Counter => "format!(\"{:?}\", result.fetch_add(1, std::sync::atomic::Ordering::SeqCst))",
        Shows::Shared => "stalemate_rt::witness::shared(&result)",
        Shows::PerhapsShared => {
            "result.iter().next().map_or(String::from(\"none\"), |one| stalemate_rt::witness::shared(one))"
        }
    };
    format!("{{ {}let result = {way}; {shown} }}", scope(&way))
}

#[cfg(test)]
pub mod samples {
    use finding::recipe::{Call, Insertion, Recipe, Shows, State};

    /// Deposits on an account.
    pub fn recipe() -> Recipe {
        let deposit = Call {
            function: "Account::deposit".into(),
            ways: vec![
                "<crate::Account>::deposit(&(*it), 1i64)".into(),
                "<crate::Account>::deposit(&(*it), 0i64)".into(),
            ],
            shows: Shows::Debug,
            is_async: false,
            lacks: None,
        };
        Recipe {
            fingerprint: "0123456789abcdef".into(),
            place: Some(Insertion { file: "src/a.rs".into(), module: vec!["a".into()], brace: None }),
            state: State {
                type_name: "crate::Account".into(),
                make: Some("<crate::Account>::new(1i64)".into()),
                in_statics: false,
            },
            a: deposit.clone(),
            b: Call { function: "Account::close".into(), is_async: true, ..deposit },
            observe: vec!["stalemate_rt::witness::shown(&(*it))".into()],
            warmups: vec!["<crate::Account>::open(&(*it))".into()],
            missing: Vec::new(),
            items: String::new(),
            enters_private: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::samples::recipe;
    use super::*;

    #[test]
    fn every_way_has_its_number() {
        let text = text(&recipe());
        assert_eq!(ways(&recipe()), [5, 2, 2]);
        assert_eq!(compounds(&recipe()).collect::<Vec<_>>(), [2, 3]);
        for part in [
            "        1 => { let _ = wait_for(<crate::Account>::deposit(&(*it), 1i64)); }\n",
            "        4 => { let _ = <crate::Account>::open(&(*it)); }\n",
            "        2 => [b(it, 0), b(it, 0), b(it, 0)].join(\", \"),\n",
            "        _ => { let result = <crate::Account>::deposit(&(*it), 1i64); stalemate_rt::witness::shown(&result) }\n",
            "type Shared = crate::Account;\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains(&template::unfinished()), "{text}");
    }

    #[test]
    fn what_was_finished_by_hand_is_what_miri_runs() {
        let mut recipe = recipe();
        recipe.state.make = None;
        recipe.a.lacks = Some(finding::recipe::Lacks::Name);
        let finished = text(&recipe).replace(&template::unfinished(), "Shared::of((), mine, mine, mine)");
        let racing = racing(&recipe, &finished);
        assert!(racing.contains("Shared::of((), mine, mine, mine)") && racing.contains("STALEMATE_ORDER"), "{racing}");
        assert!(!racing.contains("extern crate") && racing.matches("fn witness()").count() == 1, "{racing}");
    }

    #[test]
    fn the_test_is_known_by_its_path_and_the_module_is_one_line() {
        assert_eq!(test_name(&recipe()).unwrap(), "a::stalemate_witness_0123456789abcdef::witness");
        assert!(!insertion("0123").contains('\n'));
    }
}
