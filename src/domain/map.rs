//! A sorted table that copies share until one of them is changed. A state is copied at every fork of the way, and little
//! of it is changed on either side.

use std::rc::Rc;

/// `None`: empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map<K, V>(Option<Rc<Vec<(K, V)>>>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map(None)
    }
}

impl<K: Ord + Copy, V: Clone> Map<K, V> {
    fn rows(&self) -> &[(K, V)] {
        self.0.as_ref().map_or(&[], |rows| rows)
    }

    fn place(&self, key: &K) -> Result<usize, usize> {
        self.rows().binary_search_by(|(known, _)| known.cmp(key))
    }

    fn change(&mut self) -> &mut Vec<(K, V)> {
        Rc::make_mut(self.0.get_or_insert_default())
    }

    /// Both are copies of one that nobody has changed since.
    pub fn shares(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Rc::ptr_eq(mine, theirs),
            (mine, theirs) => mine.is_none() && theirs.is_none(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rows().is_empty()
    }

    pub fn len(&self) -> usize {
        self.rows().len()
    }

    pub fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|place| &self.rows()[place].1)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = self.place(key).ok()?;
        Some(&mut self.change()[place].1)
    }

    pub fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(place) => self.change()[place].1 = value,
            Err(place) => self.change().insert(place, (key, value)),
        }
    }

    /// What is there, or this.
    pub fn or_insert(&mut self, key: K, value: V) -> &mut V {
        let place = self.place(&key).unwrap_or_else(|place| {
            self.change().insert(place, (key, value));
            place
        });
        &mut self.change()[place].1
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.place(key).ok()?;
        Some(self.change().remove(place).1)
    }

    /// Takes from the other what is not there; says whether that was anything.
    pub fn add_missing(&mut self, other: &Self) -> bool {
        let before = self.len();
        if !self.shares(other) {
            let missing = other.iter().filter(|(key, _)| !self.contains_key(key));
            let missing: Vec<(K, V)> = missing.map(|(key, value)| (*key, value.clone())).collect();
            self.extend(missing);
        }
        before != self.len()
    }

    pub fn retain(&mut self, keep: impl Fn(&K, &V) -> bool) {
        if !self.iter().all(|(key, value)| keep(key, value)) {
            self.change().retain(|(key, value)| keep(key, value));
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.rows().iter().map(|(key, value)| (key, value))
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.rows().iter().map(|(_, value)| value)
    }

    /// Changes what is wanted changed.
    pub fn change_where(&mut self, wanted: impl Fn(&V) -> bool, change: impl Fn(&mut V)) {
        if self.values().any(&wanted) {
            self.change().iter_mut().map(|(_, value)| value).filter(|value| wanted(value)).for_each(change);
        }
    }
}

impl<K: Ord + Copy, V: Clone> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, rows: I) {
        rows.into_iter().for_each(|(key, value)| self.insert(key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::Map;

    #[test]
    fn keys_are_there_once() {
        let mut map = Map::default();
        map.extend([(2, 'b'), (1, 'a'), (2, 'c')]);
        assert_eq!(map.iter().collect::<Vec<_>>(), [(&1, &'a'), (&2, &'c')]);
        assert_eq!(*map.or_insert(1, 'z'), 'a');
        assert_eq!(*map.or_insert(3, 'z'), 'z');
        assert_eq!((map.remove(&2), map.remove(&2)), (Some('c'), None));
        let mut others = map.clone();
        others.extend([(7, 'g'), (1, 'q')]);
        assert!(!map.clone().add_missing(&map) && map.clone().add_missing(&others));
        assert_eq!((map.len(), map.contains_key(&2), map.get(&3)), (2, false, Some(&'z')));
    }

    #[test]
    fn a_copy_is_changed_alone() {
        let mut one = Map::default();
        one.extend([(1, 10), (2, 20)]);
        let mut other = one.clone();
        assert!(one.shares(&other));
        other.retain(|_, value| *value > 5);
        assert!(one.shares(&other));
        other.change_where(|value| *value > 10, |value| *value += 1);
        assert!(!one.shares(&other));
        assert_eq!((one.get(&2), other.get(&2)), (Some(&20), Some(&21)));
    }
}
