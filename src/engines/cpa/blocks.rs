//! Program blocks from loop head to loop head, as formulas over the scalars at their start: adjustable-block encoding with the
//! abstraction at loop heads.
//!
//! At every head there is one *frame*: a state with a variable for every integer scalar, which stands for all concrete
//! states there. Abstractions and interpolants are formulas over those variables.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3.2 and 3.3 (adjustable blocks, blk lf).

use crate::encode::automaton::START;
use crate::encode::value::same;
use crate::encode::{Automaton, Cell, Encoder, NodeId, State, Value};
use crate::engines::task::{Budget, Obstacle, Query};
use crate::ir::CheckKind;
use crate::smt::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Where a block starts: at the program's start, or at a loop's head.
pub type Place = Option<NodeId>;

/// All concrete states at a place.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub state: State,
    /// The variable of each integer scalar.
    pub variables: BTreeMap<Cell, Term>,
}

/// What a block does, from its frame.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// States with which control comes to the next heads.
    pub arrivals: BTreeMap<NodeId, State>,
    /// Conditions of violations.
    pub failures: Vec<Term>,
    pub gaps: Vec<Term>,
}

/// The program in blocks.
pub struct Blocks<'a, 'p> {
    pub encoder: Encoder<'a, 'p>,
    pub frames: BTreeMap<Place, Frame>,
    pub blocks: BTreeMap<Place, Block>,
    heads: BTreeSet<NodeId>,
}

impl<'a, 'p> Blocks<'a, 'p> {
    /// Cuts the automaton into blocks.
    ///
    /// # Errors
    /// Why that cannot be done.
    pub fn new(automaton: &'a Automaton<'p>, kinds: &[CheckKind], budget: &Budget) -> Result<Self, String> {
        if automaton.order.is_irreducible() {
            return Err("a loop that is entered at several places".to_owned());
        }
        if automaton.order.is_head(START) {
            return Err("a loop at the program's start".to_owned());
        }
        let heads: Vec<NodeId> = automaton.heads();
        let mut blocks = Blocks {
            encoder: Encoder::new(automaton, kinds),
            frames: BTreeMap::new(),
            blocks: BTreeMap::new(),
            heads: heads.iter().copied().collect(),
        };
        let state = blocks.encoder.initial();
        blocks.frames.insert(None, Frame { state, variables: BTreeMap::new() });
        blocks.cut(None)?;
        for head in heads {
            if budget.is_spent() {
                return Err("budget, while the program was cut into blocks".to_owned());
            }
            if blocks.make_frame(head) {
                blocks.cut(Some(head))?;
            }
        }
        Ok(blocks)
    }

    /// The frame of a head, from everything that enters its loop; false when nothing does.
    fn make_frame(&mut self, head: NodeId) -> bool {
        let order = &self.encoder.automaton.order;
        let outside = |place: &Place| place.is_none_or(|from| !order.is_inside(from, head));
        let entering: Vec<State> = self
            .blocks
            .iter()
            .filter(|(place, _)| outside(place))
            .filter_map(|(_, b)| b.arrivals.get(&head).cloned())
            .collect();
        let mut entry: Option<State> = None;
        for mut state in entering {
            entry = Some(match entry {
                None => state,
                Some(mut other) => {
                    // States of different frames do not exclude each other by themselves.
                    let which = self.encoder.any_condition("entry");
                    let not = self.encoder.pool.not(which);
                    self.encoder.assume(&mut other, which);
                    self.encoder.assume(&mut state, not);
                    self.encoder.join(&other, &state)
                }
            });
        }
        let Some(entry) = entry else { return false };
        let writes = self.encoder.loop_writes(head);
        let mut state = self.encoder.havoc(&entry, &writes);
        let mut variables = BTreeMap::new();
        let scalars: Vec<(Cell, Value)> = state.scalars.iter().map(|(c, v)| (*c, *v)).collect();
        for (cell, value) in scalars {
            let variable = &self.encoder.program.variables[cell.variable];
            let is_int = self.encoder.program.types.as_int(variable.ty).is_some();
            if let Value::Bits(t) = value
                && is_int
            {
                let name = format!("{}@{}", variable.name, head.0);
                let own = self.encoder.pool.fresh_variable(&name, self.encoder.pool.sort(t));
                if let Some(equal) = same(&mut self.encoder.pool, Value::Bits(own), value) {
                    self.encoder.assume(&mut state, equal);
                }
                state.set_scalar(cell, Value::Bits(own));
                variables.insert(cell, own);
            }
        }
        self.frames.insert(Some(head), Frame { state, variables });
        true
    }

    fn cut(&mut self, place: Place) -> Result<(), String> {
        let state = self.frames[&place].state.clone();
        let block = self.run(place, state)?;
        self.blocks.insert(place, block);
        Ok(())
    }

    /// What happens from `state` at `place` up to the next heads.
    pub fn run(&mut self, place: Place, state: State) -> Result<Block, String> {
        let (failures, gaps) = (self.encoder.failures.len(), self.encoder.gaps.len());
        let fragment = self
            .encoder
            .fragment(place.unwrap_or(START), state, &self.heads)
            .map_err(|_| "a loop that no head cuts".to_owned())?;
        Ok(Block {
            arrivals: fragment.at,
            failures: self.encoder.failures[failures..].iter().map(|f| f.condition).collect(),
            gaps: self.encoder.gaps[gaps..].iter().map(|g| g.condition).collect(),
        })
    }

    /// What is not encoded in the block, in the query's model.
    pub fn gap_of(&self, block: &Block, query: &mut Query) -> Obstacle {
        let values = query.values(&self.encoder, &block.gaps).unwrap_or_default();
        let hit =
            block.gaps.iter().zip(values).find(|(_, v)| v.as_bool() == Some(true)).map(|(condition, _)| *condition);
        let gap = self.encoder.gaps.iter().find(|gap| hit.is_none_or(|hit| hit == gap.condition));
        gap.map_or_else(|| Obstacle::NoProof("something is not encoded".to_owned()), Obstacle::of_gap)
    }

    /// A formula over the frame of `head`, in a state there. Scalars that the state does not have may be anything.
    pub fn instantiate(&mut self, head: NodeId, formula: Term, state: &State) -> Term {
        let Some(frame) = self.frames.get(&Some(head)) else { return formula };
        let mut replacements = FxHashMap::default();
        for (cell, variable) in &frame.variables {
            if let Some(Value::Bits(value)) = state.scalar(*cell)
                && self.encoder.pool.sort(value) == self.encoder.pool.sort(*variable)
            {
                replacements.insert(*variable, value);
            } else {
                let sort = self.encoder.pool.sort(*variable);
                let any = self.encoder.pool.fresh_variable("any", sort);
                replacements.insert(*variable, any);
            }
        }
        self.encoder.pool.substitute(formula, &replacements).expect("replacements have the sorts of what they replace")
    }

    /// Whether a formula speaks of the frame's variables alone.
    pub fn is_over_frame(&self, head: NodeId, formula: Term) -> bool {
        let Some(frame) = self.frames.get(&Some(head)) else { return false };
        let own: FxHashSet<Term> = frame.variables.values().copied().collect();
        self.encoder.pool.variables(&[formula]).iter().all(|v| own.contains(v))
    }
}
