//! A small sorted set. Most values are computed from one or two looks; a tree would spend a page on each of them.

use std::cmp::Ordering;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set<T>(Vec<T>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Set(Vec::new())
    }
}

impl<T: Ord + Copy> Set<T> {
    pub fn one(member: T) -> Self {
        Set(vec![member])
    }

    pub fn insert(&mut self, member: T) -> bool {
        match self.0.binary_search(&member) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, member);
                true
            }
        }
    }

    /// Takes from the other in its order, until there are `most`.
    pub fn add_up_to(&mut self, most: usize, other: &Self) {
        if self.0.is_empty() {
            self.0.extend(other.0.iter().take(most));
            return;
        }
        for &member in &other.0 {
            if self.0.len() >= most {
                return;
            }
            self.insert(member);
        }
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        let mut rest = other.0.iter();
        self.0.len() <= other.0.len()
            && self.0.iter().all(|member| {
                rest.by_ref().map(|it| it.cmp(member)).find(|order| *order != Ordering::Less) == Some(Ordering::Equal)
            })
    }

    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }

    /// Each member changed; what becomes equal becomes one.
    pub fn map(mut self, change: impl Fn(T) -> T) -> Self {
        self.0.iter_mut().for_each(|member| *member = change(*member));
        if !self.0.is_sorted_by(|one, next| one < next) {
            self.0.sort_unstable();
            self.0.dedup();
        }
        self
    }
}

impl<T> std::ops::Deref for Set<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut members: Vec<T> = members.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        Set(members)
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
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
    fn what_becomes_equal_becomes_one() {
        assert_eq!(set(&[1, 2, 3]).map(|it| it / 2), set(&[0, 1]));
    }
}
