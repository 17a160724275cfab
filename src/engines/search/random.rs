//! Pseudo-random numbers.
//!
//! See: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", Sect. 3 (SplitMix64).

/// A generator; equal seeds give equal numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }
    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    /// A number from `low` to `high`, both included; `low` when they are the wrong way round.
    pub fn between(&mut self, low: i128, high: i128) -> i128 {
        let Some(width) = high.checked_sub(low).and_then(|w| w.checked_add(1)).filter(|w| *w > 0) else { return low };
        let wide = (i128::from(self.bits()) << 62) ^ i128::from(self.bits() >> 1);
        low + wide.rem_euclid(width)
    }
    /// An element.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.below(items.len())]) }
    }
}
