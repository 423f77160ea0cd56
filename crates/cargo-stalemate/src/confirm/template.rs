//! A witness that somebody else has to finish. It compiles as it is, and one thing in it is to be done: the function `fixture`. Where the
//! types are known, that makes the values that are missing; where they are not, it makes the state and says what A and B do with it.

use finding::recipe::{Recipe, lacking};

/// In parts, so that nobody takes this file for unfinished.
pub fn unfinished() -> String {
    ["todo", "!()"].concat()
}

/// Makes what is missing.
const VALUES: &str = "
/// What no way was found to make. It is called whenever one is needed, and gives a new one each time.
fn fixture() -> {TYPES} {
    {UNFINISHED}
}
";

/// The function that makes what is missing, if anything is.
pub fn values(recipe: &Recipe) -> String {
    let types = match &recipe.missing[..] {
        [] => return String::new(),
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    };
    VALUES.replace("{TYPES}", &types).replace("{UNFINISHED}", &unfinished())
}

/// Calls of that function in the place of what is missing.
pub fn filled(recipe: &Recipe, text: String) -> String {
    let is_one = recipe.missing.len() == 1;
    let value = |number: usize| if is_one { "fixture()".to_owned() } else { format!("fixture().{number}") };
    (0..recipe.missing.len()).fold(text, |text, number| text.replace(&lacking(number), &value(number)))
}

/// Everything is in the hands of whoever finishes it.
const WHOLE: &str = "
/// What both share, with what is done to it: its type is known in `fixture` alone.
struct Shared {
    a: Box<dyn Fn() -> String + Send + Sync>,
    b: Box<dyn Fn() -> String + Send + Sync>,
    seen: Box<dyn Fn() -> String + Send + Sync>,
}

impl Shared {
    fn of<T, A, B, S>(state: T, a: A, b: B, seen: S) -> Shared
    where
        T: Send + Sync + 'static,
        A: Fn(&'static T) -> String + Send + Sync + 'static,
        B: Fn(&'static T) -> String + Send + Sync + 'static,
        S: Fn(&'static T) -> String + Send + Sync + 'static,
    {
        let it: &'static T = Box::leak(Box::new(state));
        Shared { a: Box::new(move || a(it)), b: Box::new(move || b(it)), seen: Box::new(move || seen(it)) }
    }
}

/// Gives a new state each time. A is `{A}`, B is `{B}`; each tells as a text what came of it, and so does
/// the last function for the state in the end. An `async` function goes into `wait_for(..)`. For an account it would be:
///
///     Shared::of(Account::new(1), |it| format!(\"{:?}\", it.deposit(1)), |it| format!(\"{:?}\", it.close()), |it| format!(\"{it:?}\"))
fn fixture() -> Shared {
    {UNFINISHED}
}

fn prepared(_: usize) -> &'static Shared {
    Box::leak(Box::new(fixture()))
}

fn a(it: &'static Shared, _: usize) -> String {
    (it.a)()
}

fn b(it: &'static Shared, way: usize) -> String {
    match way {
        0 => (it.b)(),
        1 => [b(it, 0), b(it, 0), b(it, 0)].join(\", \"),
        _ => [b(it, 0), b(it, 0), a(it, 0)].join(\", \"),
    }
}

fn seen(it: &'static Shared) -> String {
    (it.seen)()
}
";

/// The middle of a witness of which not even the types are known.
pub fn whole(recipe: &Recipe) -> String {
    let names = [("{A}", &recipe.a.function), ("{B}", &recipe.b.function), ("{UNFINISHED}", &unfinished())];
    names.into_iter().fold(WHOLE.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[cfg(test)]
mod tests {
    use super::unfinished;
    use crate::confirm::program::{samples::recipe, text};
    use finding::recipe::lacking;

    #[test]
    fn what_is_missing_is_the_one_thing_to_do() {
        let mut recipe = recipe();
        recipe.missing = vec!["crate::Limit".into()];
        recipe.state.make = Some(format!("<crate::Account>::new({})", lacking(0)));
        let one = text(&recipe);
        assert_eq!(one.matches(&unfinished()).count(), 1);
        assert!(one.contains("fn fixture() -> crate::Limit {") && one.contains("<crate::Account>::new(fixture())"));
        recipe.missing.push("crate::Name".into());
        recipe.a.ways = vec![format!("<crate::Account>::rename(&(*it), {})", lacking(1))];
        let two = text(&recipe);
        assert_eq!(two.matches(&unfinished()).count(), 1);
        assert!(two.contains("fn fixture() -> (crate::Limit, crate::Name) {"), "{two}");
        assert!(two.contains("new(fixture().0)") && two.contains("rename(&(*it), fixture().1)"), "{two}");
    }

    #[test]
    fn without_types_there_is_one_thing_to_do_as_well() {
        let mut recipe = recipe();
        recipe.state.make = None;
        let text = text(&recipe);
        assert_eq!(text.matches(&unfinished()).count(), 1);
        assert!(text.contains("A is `Account::deposit`, B is `Account::close`"), "{text}");
    }
}
