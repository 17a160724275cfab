//! Which edges of the control-flow graph runs have taken, and how often.
//!
//! Edges share a table by a hash of theirs: two of the same place are told apart by nothing, which costs news and no answers.
//!
//! See: Zalewski, "Technical whitepaper for afl-fuzz", Sect. 1 and 2 (the table, and counts by orders of magnitude).

use crate::base::Idx;
use crate::concrete::{Machine, Observer};
use crate::ir::{BlockId, FuncId};

/// Places of the table, a power of two.
const PLACES: usize = 1 << 17;

/// The edges of one run with their counts.
#[derive(Debug)]
pub struct Edges {
    counts: Vec<u32>,
    touched: Vec<u32>,
    last: u32,
}

impl Default for Edges {
    fn default() -> Edges {
        Edges { counts: vec![0; PLACES], touched: Vec::new(), last: 0 }
    }
}

impl Edges {
    /// Those of a run that has not begun.
    pub fn clear(&mut self) {
        for place in self.touched.drain(..) {
            self.counts[place as usize] = 0;
        }
        self.last = 0;
    }

    /// Those of a run that has come so far.
    pub fn so_far(&self) -> EdgesSoFar {
        let counts = self.touched.iter().map(|place| (*place, self.counts[*place as usize]));
        EdgesSoFar { counts: counts.collect(), last: self.last }
    }

    /// Those of a run that goes on from there.
    pub fn go_on(&mut self, EdgesSoFar { counts, last }: &EdgesSoFar) {
        self.clear();
        for (place, count) in counts {
            self.touched.push(*place);
            self.counts[*place as usize] = *count;
        }
        self.last = *last;
    }

    /// The places of the edges that were taken.
    pub fn places(&self) -> &[u32] {
        &self.touched
    }

    /// Whether an edge of this place was taken.
    pub fn has(&self, place: u32) -> bool {
        self.counts[place as usize] != 0
    }

    /// The order of magnitude of its count, as a bit; the edge was taken.
    fn magnitude(&self, place: u32) -> u32 {
        1 << (31 - self.counts[place as usize].leading_zeros()).min(31)
    }
}

/// The edges of a run until some place on its way.
#[derive(Debug)]
pub struct EdgesSoFar {
    counts: Vec<(u32, u32)>,
    last: u32,
}

impl EdgesSoFar {
    /// Bytes of memory that they take.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.counts) as u64
    }
}

/// What a run was the first to show: places of edges, with the orders of magnitude of their counts.
#[derive(Debug, Default)]
pub struct News(Vec<(u32, u32)>);

impl News {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a run shows them all.
    pub fn are_in(&self, run: &Edges) -> bool {
        self.0.iter().all(|(place, bit)| run.has(*place) && run.magnitude(*place) == *bit)
    }
}

impl Observer for Edges {
    fn enter_block(&mut self, function: FuncId, block: BlockId, _: &Machine<'_>) {
        let here = hash(function, block);
        let place = place(self.last, here);
        self.last = here;
        let count = &mut self.counts[place as usize];
        if *count == 0 {
            self.touched.push(place);
        }
        *count = count.saturating_add(1);
    }
}

/// A block's part in the places of its edges.
pub(super) fn hash(function: FuncId, block: BlockId) -> u32 {
    (function.index() as u32).wrapping_mul(0x9e37_79b1) ^ (block.index() as u32).wrapping_mul(0x85eb_ca6b)
}

/// The place of an edge between blocks of these hashes.
pub(super) fn place(last: u32, here: u32) -> u32 {
    (last.rotate_left(7) ^ here).wrapping_mul(0xc2b2_ae35) >> (32 - PLACES.trailing_zeros())
}

/// What all runs have covered.
#[derive(Debug)]
pub struct Coverage {
    /// Per place, a bit for each order of magnitude that its count has had in some run.
    seen: Vec<u32>,
}

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage { seen: vec![0; PLACES] }
    }
}

impl Coverage {
    /// Whether some run has taken an edge of this place.
    pub fn has(&self, place: u32) -> bool {
        self.seen[place as usize] != 0
    }

    /// Whether a run takes an edge that none has taken.
    pub fn lacks_edge_of(&self, run: &Edges) -> bool {
        run.touched.iter().any(|place| !self.has(*place))
    }

    /// Adds a run; what it was the first to show.
    pub fn add(&mut self, run: &Edges) -> News {
        let mut news = News::default();
        for place in &run.touched {
            let bit = run.magnitude(*place);
            let seen = &mut self.seen[*place as usize];
            if *seen & bit == 0 {
                news.0.push((*place, bit));
            }
            *seen |= bit;
        }
        news
    }
}
