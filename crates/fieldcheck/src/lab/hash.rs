//! A hash that is the same with every compiler, because what it names is kept on disk. It guards against mistakes, not
//! against people.

/// FNV-1a over the parts, each led by its length so that parts cannot run into one another.
pub fn hash(parts: &[&[u8]]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let part = |hash: u64, part: &&[u8]| {
        let length = (part.len() as u64).to_le_bytes();
        part.iter().fold(length.iter().fold(hash, step), step)
    };
    format!("{:016x}", parts.iter().fold(0xcbf2_9ce4_8422_2325, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_their_borders_count() {
        let plain = hash(&[b"ab", b"c"]);
        assert_eq!(plain, hash(&[b"ab", b"c"]));
        assert_eq!(plain.len(), 16);
        for other in [hash(&[b"a", b"bc"]), hash(&[b"abc"]), hash(&[b"ab", b"d"]), hash(&[b"ab", b"c", b""])] {
            assert_ne!(plain, other);
        }
    }
}
