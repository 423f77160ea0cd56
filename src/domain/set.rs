//! A small sorted set. Most values are computed from one or two looks; a tree would spend a page on each of them. Copies
//! share their members until one of them is changed.

use std::cmp::Ordering;
use std::rc::Rc;

/// `None`: empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set<T>(Option<Rc<Vec<T>>>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Set(None)
    }
}

impl<T: Ord + Copy> Set<T> {
    fn of(members: Vec<T>) -> Self {
        Set((!members.is_empty()).then(|| Rc::new(members)))
    }

    pub fn one(member: T) -> Self {
        Set::of(vec![member])
    }

    pub fn insert(&mut self, member: T) -> bool {
        match self.binary_search(&member) {
            Ok(_) => false,
            Err(place) => {
                Rc::make_mut(self.0.get_or_insert_default()).insert(place, member);
                true
            }
        }
    }

    /// Takes from the other in its order, until there are `most`.
    pub fn add_up_to(&mut self, most: usize, other: &Self) {
        if self.is_empty() && other.len() <= most {
            self.clone_from(other);
        }
        if self.shares(other) {
            return;
        }
        for &member in other {
            if self.len() >= most {
                return;
            }
            self.insert(member);
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.add_up_to(usize::MAX, other);
    }

    /// Only what the other has, too; says whether anything was lost.
    pub fn keep_common(&mut self, other: &Self) -> bool {
        let before = self.len();
        if !self.shares(other) {
            self.retain(|member| other.contains(member));
        }
        before != self.len()
    }

    pub fn contains(&self, member: &T) -> bool {
        self.binary_search(member).is_ok()
    }

    fn shares(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Some(mine), Some(theirs)) if Rc::ptr_eq(mine, theirs))
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        if self.shares(other) {
            return true;
        }
        let mut rest = other.iter();
        self.len() <= other.len()
            && self.iter().all(|member| {
                rest.by_ref().map(|it| it.cmp(member)).find(|order| *order != Ordering::Less) == Some(Ordering::Equal)
            })
    }

    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        if !self.iter().all(&keep) {
            *self = Set::of(self.iter().copied().filter(keep).collect());
        }
    }

    /// Each member changed; what becomes equal becomes one.
    pub fn map(self, change: impl Fn(T) -> T) -> Self {
        if self.iter().all(|&member| change(member) == member) {
            return self;
        }
        self.iter().map(|&member| change(member)).collect()
    }
}

impl<T> std::ops::Deref for Set<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |members| members)
    }
}

impl<T: Ord + Copy> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut members: Vec<T> = members.into_iter().collect();
        if !members.is_sorted_by(|one, next| one < next) {
            members.sort_unstable();
            members.dedup();
        }
        Set::of(members)
    }
}

impl<T: Ord + Copy> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        members.into_iter().for_each(|member| {
            self.insert(member);
        });
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Set;

    fn set(members: &[u8]) -> Set<u8> {
        members.iter().copied().collect()
    }

    #[test]
    fn members_are_sorted_and_there_once() {
        let mut all = set(&[3, 1, 3]);
        assert!(all.insert(2) && !all.insert(2));
        assert_eq!(&*all, [1, 2, 3]);
    }

    #[test]
    fn subsets() {
        assert!(set(&[]).is_subset(&set(&[])));
        assert!(set(&[1, 3]).is_subset(&set(&[1, 2, 3])));
        assert!(!set(&[0]).is_subset(&set(&[1, 2])));
        assert!(!set(&[4]).is_subset(&set(&[1, 2])));
        assert!(!set(&[1, 2, 3]).is_subset(&set(&[1, 3])));
    }

    #[test]
    fn there_is_an_upper_bound() {
        let mut few = set(&[5]);
        few.add_up_to(3, &set(&[1, 2, 9]));
        assert_eq!(&*few, [1, 2, 5]);
        let mut none = set(&[]);
        none.add_up_to(2, &set(&[1, 2, 9]));
        assert_eq!(&*none, [1, 2]);
    }

    #[test]
    fn a_copy_is_changed_alone() {
        let one = set(&[1, 3]);
        let mut other = one.clone();
        other.insert(2);
        other.retain(|&it| it > 1);
        assert_eq!((one, other), (set(&[1, 3]), set(&[2, 3])));
    }

    #[test]
    fn what_becomes_equal_becomes_one() {
        assert_eq!(set(&[1, 2, 3]).map(|it| it / 2), set(&[0, 1]));
    }
}
