//! String literals as objects: which of them may be one, or one a part of another (C11 6.4.5p7).

use super::{Program, StaticValue, Storage, VarId};
use std::ops::RangeInclusive;

/// So many ways to lay one literal over another are tried.
const MOST_TRIED: i128 = 4096;

impl Program {
    /// The bytes of a string literal, with the terminator; None of other variables.
    pub fn literal(&self, v: VarId) -> Option<&[u8]> {
        let variable = &self.variables[v];
        match &variable.init.first()?.value {
            StaticValue::Bytes(bytes) if variable.storage == Storage::Literal => Some(bytes),
            _ => None,
        }
    }

    /// Whether `a` and `b` are string literals, and `b` may start at one of these bytes of `a`, or so many before it: all bytes that they
    /// then share are equal, and there is one.
    pub fn may_share_bytes(&self, a: VarId, b: VarId, starts: RangeInclusive<i128>) -> bool {
        let (Some(x), Some(y)) = (self.literal(a), self.literal(b)) else { return false };
        let (low, high) = ((*starts.start()).max(1 - y.len() as i128), (*starts.end()).min(x.len() as i128 - 1));
        high - low >= MOST_TRIED || (low..=high).any(|start| agree(x, y, start))
    }
}

/// Whether the bytes are equal that `x` shares with `y`, which starts so many behind its start.
fn agree(x: &[u8], y: &[u8], start: i128) -> bool {
    let behind = |n: i128| usize::try_from(n).unwrap_or(0);
    x.iter().skip(behind(start)).zip(y.iter().skip(behind(-start))).all(|(x, y)| x == y)
}

#[cfg(test)]
mod tests {
    use super::agree;

    #[test]
    fn literals_share_what_is_equal() {
        assert!(agree(b"abc\0", b"abc\0", 0));
        assert!(agree(b"xabc\0", b"abc\0", 1));
        assert!(agree(b"abc\0", b"xabc\0", -1));
        assert!(agree(b"abc\0", b"\0", 3));
        assert!(agree(b"abc\0ab\0", b"ab\0abc\0", 4));
        assert!(!agree(b"abc\0", b"abd\0", 0));
        assert!(!agree(b"abc\0", b"\0", 0));
        assert!(!agree(b"xabc\0", b"abc\0", 0));
        assert!(!agree(b"abc\0x\0", b"abc\0y\0", 0));
    }
}
