//! What results depend on, as a digest.

use crate::base::Span;
use crate::ir::Program;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::hash::Hasher;
use std::time::UNIX_EPOCH;

/// Changes with the form of what is kept.
const FORM: &str = "cellog results 1";

/// A digest of everything that a result depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key([u8; 32]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Collects what a key is made of.
#[derive(Clone, Debug, Default)]
pub struct KeyMaker(Sha256);

impl KeyMaker {
    /// A key of this program's results; None if the program cannot be told from other builds of it.
    pub fn new() -> Option<KeyMaker> {
        let mut maker = KeyMaker::default();
        let built = std::env::current_exe().ok()?.metadata().ok()?;
        let modified = built.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        maker.add(&(FORM, env!("CARGO_PKG_VERSION"), built.len(), modified));
        Some(maker)
    }

    /// One more thing that matters.
    pub fn add(&mut self, part: &impl std::hash::Hash) {
        part.hash(self);
    }

    /// The positions of `program`, all the rest of which matters.
    pub fn add_program(&mut self, program: &Program) -> Vec<Span> {
        program.write_without_positions(self).expect("a digest takes all text")
    }

    /// The key of all that was added.
    pub fn finish_key(self) -> Key {
        Key(self.0.finalize().into())
    }
}

impl fmt::Write for KeyMaker {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

/// The standard library's `Hash` tells a value's parts and their lengths; only the digest is another one.
impl Hasher for KeyMaker {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let digest: [u8; 32] = self.0.clone().finalize().into();
        u64::from_le_bytes(digest[..8].try_into().expect("a digest has more than 8 bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parts: &[&str]) -> Key {
        let mut maker = KeyMaker::default();
        parts.iter().for_each(|part| maker.add(part));
        maker.finish_key()
    }

    #[test]
    fn parts_are_told_apart() {
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["ab", "c"]), key(&["ab", "c", ""]));
    }
}
