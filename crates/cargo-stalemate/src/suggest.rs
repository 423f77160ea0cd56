//! "Did you mean": the allowed word nearest to a misspelt one.

/// The nearest of `allowed`, if it is near enough to be what was meant: at most a third of the letters differ.
pub fn nearest<'a>(word: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let word = normal(word);
    let limit = (word.chars().count() / 3).max(1);
    let near = allowed.iter().map(|candidate| (distance(&word, &normal(candidate)), *candidate));
    near.filter(|(distance, _)| *distance <= limit).min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

/// The nearest paths, best first. A path is as near as its whole, or its last part.
pub fn nearest_paths<'a>(word: &str, allowed: &[&'a str], most: usize) -> Vec<&'a str> {
    let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
    let far = |one: &str, other: &str| distance(&normal(one), &normal(other));
    let away = |path: &&str| far(word, path).min(far(&last(word), &last(path)));
    let limit = (last(word).chars().count() / 3).max(2);
    let mut near: Vec<(usize, &str)> = allowed.iter().map(|path| (away(path), *path)).collect();
    near.retain(|(away, _)| *away <= limit);
    near.sort();
    near.dedup();
    near.into_iter().take(most).map(|(_, path)| path).collect()
}

/// `min_confidence`, `Min-Confidence` and `min-confidence` are the same mistake.
fn normal(word: &str) -> String {
    word.to_lowercase().replace('_', "-")
}

/// Letters to insert, delete or replace to get from one word to the other (Levenshtein), kept one row at a time.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("lintz", "lints"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn paths_are_near_by_their_last_part() {
        let all = ["bank::tests::total", "bank::tests::sums", "other"];
        assert_eq!(nearest_paths("sum", &all, 2), ["bank::tests::sums"]);
        assert_eq!(nearest_paths("bank::tests::totla", &all, 2), ["bank::tests::total"]);
        assert!(nearest_paths("nothing_like_it", &all, 2).is_empty());
    }

    #[test]
    fn only_near_words_are_offered() {
        assert_eq!(nearest("lintz", &["lints", "tests"]), Some("lints"));
        assert_eq!(nearest("min_confidence", &["lints", "min-confidence"]), Some("min-confidence"));
        assert_eq!(nearest("baseline", &["lints", "tests"]), None);
    }
}
