//! A colour for each lock, the same in every page, and in the next run too unless a new lock wants the same one.

use std::collections::BTreeMap;

/// As many as style.css has.
const HUES: usize = 10;
/// A second lock of one hue has another pattern.
const PATTERNS: usize = 3;

#[derive(Debug, Default)]
pub struct Colours {
    slots: BTreeMap<String, usize>,
}

impl Colours {
    pub fn new<'a>(locks: impl IntoIterator<Item = &'a str>) -> Colours {
        let locks: std::collections::BTreeSet<&str> = locks.into_iter().collect();
        let mut taken = [0usize; HUES * PATTERNS];
        let slots = locks.into_iter().map(|lock| (lock.to_owned(), take(&mut taken, lock)));
        Colours { slots: slots.collect() }
    }

    /// The classes that style.css knows.
    pub fn class(&self, lock: &str) -> String {
        let slot = self.slots.get(lock).copied();
        slot.map_or_else(|| "lock".to_owned(), |slot| format!("lock h{} p{}", slot % HUES, slot / HUES))
    }
}

/// The slot that the name asks for or the next one that is free; hues come before patterns, and when all are in use,
/// those in least use are shared.
fn take(taken: &mut [usize; HUES * PATTERNS], lock: &str) -> usize {
    let wanted = lock.bytes().fold(0usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into())) % HUES;
    let slots = (0..taken.len()).map(|step| step / HUES * HUES + (wanted + step) % HUES);
    let slot = slots.min_by_key(|slot| taken[*slot]).unwrap_or(0);
    taken[slot] += 1;
    slot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_differ_as_long_as_they_can() {
        let names: Vec<String> = (0..40).map(|number| format!("Pool.lock{number}")).collect();
        let colours = Colours::new(names.iter().map(String::as_str));
        let classes: std::collections::BTreeSet<String> = names.iter().map(|name| colours.class(name)).collect();
        assert_eq!(classes.len(), HUES * PATTERNS);
        let few = Colours::new(names[..10].iter().map(String::as_str));
        assert!(names[..10].iter().all(|name| few.class(name).ends_with("p0")));
    }

    #[test]
    fn one_lock_more_changes_no_other_unless_it_must() {
        let class = |names: &[&str]| Colours::new(names.iter().copied()).class("Pool.state");
        assert_eq!(class(&["Pool.state"]), class(&["Pool.state", "Queue.a"]));
        assert_eq!(Colours::default().class("x"), "lock");
    }
}
