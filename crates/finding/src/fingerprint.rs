//! Names for findings. No line, no column: an edit above, a move to another file or a run of rustfmt keeps the name.

/// What makes a finding the same finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity<'a> {
    pub lint: &'a str,
    pub package: &'a str,
    pub function: &'a str,
    pub lock: &'a str,
    pub access: &'a str,
    /// Tells apart findings that share all of the above: 0 for the first in source order, then 1, 2, ..
    pub ordinal: usize,
}

impl Identity<'_> {
    /// 16 hex digits.
    pub fn fingerprint(&self) -> String {
        let ordinal = if self.ordinal == 0 { String::new() } else { self.ordinal.to_string() };
        let parts = [self.lint, self.package, self.function, self.lock, self.access, &ordinal];
        format!("{:016x}", fnv1a(parts))
    }

    /// The same without modules: a function that moves to another file keeps it, though its path changes.
    pub fn kin(&self) -> String {
        Identity { function: &without_modules(self.function), ..self.clone() }.fingerprint()
    }
}

/// `Pool::get` of `net::pool::Pool::get`, and `<Pool as Drop>::drop` of `<net::pool::Pool as Drop>::drop`.
fn without_modules(function: &str) -> String {
    let mut kept = String::new();
    let mut rest = function;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        kept.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        // Types have capitals; what is lower case and leads on to a name is a module, or a function around this one.
        let is_module = word.starts_with(|c: char| c.is_lowercase() || c == '_');
        match behind.strip_prefix("::").filter(|next| is_module && next.starts_with(|c: char| c != '{' && c != '<')) {
            Some(next) => rest = next,
            None => {
                kept.push_str(word);
                rest = behind;
            }
        }
    }
    kept + rest
}

/// FNV-1a over the parts, each closed by a zero byte so that `ab|c` and `a|bc` differ.
/// Written out because the standard hasher may change between releases and baselines may not.
fn fnv1a<const N: usize>(parts: [&str; N]) -> u64 {
    parts
        .iter()
        .flat_map(|part| part.bytes().chain([0]))
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(function: &'static str, ordinal: usize) -> Identity<'static> {
        Identity { lint: "stale_value", package: "bank", function, lock: "self.m", access: "balance", ordinal }
    }

    #[test]
    fn known_value_never_changes() {
        assert_eq!(identity("Account::deposit", 0).fingerprint(), "8c931f416a25fe54");
    }

    #[test]
    fn kin_has_no_modules() {
        for (path, kept) in [
            ("net::pool::Pool::get", "Pool::get"),
            ("<net::pool::Pool as MetricReader>::drop", "<Pool as MetricReader>::drop"),
            ("helper", "helper"),
            ("net::helper", "helper"),
            ("<&net::Pool as Iterator>::next", "<&Pool as Iterator>::next"),
            ("<[net::Slot; 4] as Reset>::reset", "<[Slot; 4] as Reset>::reset"),
        ] {
            assert_eq!(without_modules(path), kept);
            assert_eq!(identity(path, 0).kin(), identity(kept, 0).fingerprint());
        }
    }

    #[test]
    fn every_part_counts() {
        let plain = identity("f", 0).fingerprint();
        assert_ne!(plain, identity("g", 0).fingerprint());
        assert_ne!(plain, identity("f", 1).fingerprint());
    }
}
