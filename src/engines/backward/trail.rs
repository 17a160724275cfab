//! The conditions on inputs under which a program takes the path of one run.

use super::shadow::{Shadow, Shadows};
use super::steer::{Fork, Point, Turn, Way};
use super::term::{Key, TermId, Terms};
use crate::concrete::{InputPlace, InputRecord, InputValue, Machine, Spot, Value};
use crate::domains::IntType;
use crate::ir::{BinaryOp, BlockId, Expr, Place, PlaceBase, SiteId, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms of one run, and conditions of its path, that are kept; with more the path is given up.
const MOST_TERMS: usize = 60_000;
const MOST_CONDITIONS: usize = 20_000;
/// Meetings of one way of one run that are kept.
const OF_A_WAY: u32 = 4;

/// What a function was called with and where its result goes.
#[derive(Debug, Default)]
pub struct Activation {
    pub dest: Option<(Spot, TypeId)>,
}

/// What is on its way to a parameter or to a result's place.
#[derive(Debug)]
pub enum Passed {
    Scalar(Option<Shadow>, TypeId),
    /// Cells of an aggregate, from its first byte.
    Bytes(Vec<(u64, super::shadow::Cell)>),
}

/// A run that is followed until the check at `target` fails.
pub struct Trail<'a> {
    pub terms: &'a mut Terms,
    /// The run is followed to the failure of this check, or to its end.
    pub target: Option<SiteId>,
    /// The ways that the path could be left on and that are worth it, where forks are wanted.
    pub open: Option<&'a dyn Fn(Way) -> bool>,
    pub forks: Vec<Fork>,
    /// How often each way was met.
    met: FxHashMap<Way, u32>,
    /// The block that was entered last.
    pub last: Option<Point>,
    pub shadows: Shadows,
    pub activations: Vec<Activation>,
    pub pending: Option<(Vec<Passed>, Activation)>,
    /// What the statement under way will need when it has run.
    pub awaited: Awaited,
    /// Each holds, or does not, on the path.
    pub conditions: Vec<(TermId, bool)>,
    known: FxHashSet<(TermId, bool)>,
    /// Terms that a condition fixes to their value.
    fixed: FxHashSet<TermId>,
    /// Inputs that are what they are in the run.
    pub pinned: Vec<InputRecord>,
    /// The target has failed: what comes later does not matter.
    pub done: bool,
    /// Why the path is not known.
    pub lost: Option<String>,
    first_term: usize,
}

/// What a statement under way will need when it has run.
#[derive(Debug, Default)]
pub struct Awaited {
    pub dest: Option<(Spot, u64)>,
    pub shadow: Option<Shadow>,
    pub size: Option<TermId>,
    pub inputs: usize,
    pub moved: Vec<(u64, super::shadow::Cell)>,
}

impl<'a> Trail<'a> {
    /// A run that has not begun.
    pub fn new(terms: &'a mut Terms, target: SiteId) -> Trail<'a> {
        Trail::start(terms, Some(target), None)
    }
    /// A run that is followed to its end, with its forks.
    pub fn exploring(terms: &'a mut Terms, open: &'a dyn Fn(Way) -> bool) -> Trail<'a> {
        Trail::start(terms, None, Some(open))
    }
    fn start(terms: &'a mut Terms, target: Option<SiteId>, open: Option<&'a dyn Fn(Way) -> bool>) -> Trail<'a> {
        let first_term = terms.count();
        Trail {
            terms,
            target,
            open,
            forks: Vec::new(),
            met: FxHashMap::default(),
            last: None,
            shadows: Shadows::default(),
            activations: Vec::new(),
            pending: None,
            awaited: Awaited::default(),
            conditions: Vec::new(),
            known: FxHashSet::default(),
            fixed: FxHashSet::default(),
            pinned: Vec::new(),
            done: false,
            lost: None,
            first_term,
        }
    }
    /// Whether nothing more is to be noted.
    pub fn is_over(&self) -> bool {
        self.done || self.lost.is_some()
    }
    /// The path cannot be told.
    pub fn lose(&mut self, why: impl Into<String>) {
        self.lost.get_or_insert_with(|| why.into());
    }
    /// Ends what grew too large.
    pub fn watch_size(&mut self) {
        if self.terms.count() - self.first_term > MOST_TERMS || self.conditions.len() > MOST_CONDITIONS {
            self.lose("the path has too many conditions");
        }
    }

    /// Notes that what follows the conditions `before` could go another way, if that is worth it.
    pub fn fork(&mut self, way: Way, before: usize, turn: Turn) {
        let turns = match turn {
            Turn::Not(after) => after > before,
            Turn::Holds(term) => self.terms.constant_of(term).is_none(),
        };
        if turns && self.open.is_some_and(|is_open| is_open(way)) {
            let met = self.met.entry(way).or_default();
            *met += 1;
            if *met <= OF_A_WAY {
                self.forks.push(Fork { way, before, turn });
            }
        }
    }

    /// Notes that another block than that which the run goes to could be next.
    pub fn edge(&mut self, machine: &Machine<'_>, to: BlockId, before: usize, turn: Turn) {
        if let (Some(from), Some(function)) = (self.last, machine.call_stack().last()) {
            self.fork(Way::Edge(from, (function, to)), before, turn);
        }
    }

    // Conditions.

    /// The truth of a term is on this path what it is in the run.
    pub fn decide(&mut self, term: TermId) {
        let truth = self.terms.truth(term);
        let holds = self.terms.value(truth) != 0;
        if self.terms.constant_of(truth).is_none() && self.known.insert((truth, holds)) {
            self.conditions.push((truth, holds));
        }
    }
    /// The comparison with a number is on this path what it is in the run.
    pub fn decide_against(&mut self, op: BinaryOp, term: TermId, number: i128) {
        // Numbers beyond the type compare as they do, whatever the term is.
        let wide = self.terms.convert(term, WIDE);
        let condition = self.terms.with_number(op, wide, number);
        self.decide(condition);
    }
    /// A term lies in `[low, high]`, or on the side of it where it is in the run.
    pub fn decide_range(&mut self, term: TermId, low: i128, high: i128) {
        let value = self.terms.value(term);
        if value >= low {
            self.decide_against(BinaryOp::Ge, term, low);
        }
        if value < low || value <= high {
            let (op, bound) = if value < low { (BinaryOp::Lt, low) } else { (BinaryOp::Le, high) };
            self.decide_against(op, term, bound);
        } else {
            self.decide_against(BinaryOp::Gt, term, high);
        }
    }
    /// From here on the value is that of the run.
    pub fn fix(&mut self, shadow: &Shadow) {
        for &term in shadow.terms() {
            if self.terms.constant_of(term).is_none() && self.fixed.insert(term) {
                let value = self.terms.value(term);
                let equal = self.terms.with_number(BinaryOp::Eq, term, value);
                self.decide(equal);
            }
        }
    }
    /// As `fix`, where there is something.
    pub fn fix_any(&mut self, shadow: Option<Shadow>) {
        if let Some(shadow) = shadow {
            self.fix(&shadow);
        }
    }
    /// None for what is fixed.
    pub fn unless_fixed(&self, shadow: Option<Shadow>) -> Option<Shadow> {
        shadow.filter(|s| s.terms().iter().any(|t| !self.fixed.contains(t) && self.terms.constant_of(*t).is_none()))
    }

    // Places.

    /// Where a place is, its pointer fixed.
    pub fn spot<'p>(&mut self, machine: &mut Machine<'p>, place: &'p Place) -> Option<Spot> {
        if let PlaceBase::Deref(pointer) = &place.base {
            let shadow = self.expr(machine, pointer);
            self.fix_any(shadow);
        }
        let spot = machine.locate(place);
        if spot.is_none() {
            self.lose("a place outside of its object");
        }
        spot
    }
    /// The object and the offset that a pointer has, fixed.
    pub fn target_of<'p>(&mut self, machine: &mut Machine<'p>, pointer: &'p Expr) -> Option<(u32, u64)> {
        let shadow = self.expr(machine, pointer);
        self.fix_any(shadow);
        let value = machine.peek(pointer)?;
        match machine.pointer(value) {
            crate::concrete::Pointer::Object { slot, live: true, offset } => Some((slot, u64::try_from(offset).ok()?)),
            _ => None,
        }
    }
    /// Bytes that a type takes.
    pub fn size(&self, machine: &Machine<'_>, ty: TypeId) -> u64 {
        machine.program().types.size_of(ty).unwrap_or(0)
    }
    /// The numbers of an integer type of at most 64 bits.
    pub fn int_type(&self, machine: &Machine<'_>, ty: TypeId) -> Option<IntType> {
        let types = &machine.program().types;
        match types.get(ty) {
            Type::Int(kind) => Some(IntType::of(types, *kind)).filter(|t| t.bits <= 64),
            _ => None,
        }
    }
    /// Whether values of the type are copied as bytes.
    pub fn is_aggregate(&self, machine: &Machine<'_>, ty: TypeId) -> bool {
        !machine.program().types.is_scalar(ty)
    }
    /// A shadow taken as a value of a type: a number is converted, what does not fit the type is opaque.
    pub fn as_type(&mut self, machine: &Machine<'_>, shadow: Option<Shadow>, ty: TypeId) -> Option<Shadow> {
        let shadow = self.unless_fixed(shadow)?;
        let pointer = matches!(machine.program().types.get(ty), Type::Pointer(_));
        match (&shadow, self.int_type(machine, ty)) {
            (Shadow::Int(term), Some(int)) => Some(Shadow::Int(self.terms.convert(*term, int))),
            (Shadow::Pointer(_), None) if pointer => Some(shadow),
            _ => Shadow::opaque(std::iter::once(&shadow)),
        }
    }
    /// Follows a value only where the terms say what the run says.
    pub fn agree(&mut self, shadow: Option<Shadow>, value: Option<Value>) -> Option<Shadow> {
        if let (Some(Shadow::Int(term)), Some(value)) = (&shadow, value)
            && value.as_int() != Some(self.terms.value(*term))
        {
            self.lose("a value that is not understood");
        }
        shadow
    }

    // Inputs.

    /// A new input as a term; None when it is one of another kind in another run.
    pub fn input(
        &mut self,
        place: InputPlace,
        occurrence: u32,
        byte: Option<u32>,
        ty: IntType,
        range: (i128, i128),
        value: i128,
    ) -> Option<TermId> {
        let term = self.terms.input(Key { place, occurrence, byte }, ty, range, value);
        if term.is_none() {
            self.lose("an input that has another range on another path");
        }
        term
    }
    /// Takes the inputs that a statement, or the start of the run, has consumed.
    pub fn take_inputs(&mut self, machine: &Machine<'_>, from: usize) -> Vec<(InputRecord, Option<Shadow>)> {
        let new: Vec<InputRecord> = machine.inputs_so_far().get(from..).unwrap_or_default().to_vec();
        let mut taken = Vec::new();
        for record in new {
            let shadow = match (&record.value, record.range) {
                (InputValue::Int(value), Some((low, high))) if fits_64(low, high) => {
                    let ty = if low < 0 { IntType::signed(64) } else { IntType::unsigned(64) };
                    self.input(record.place, record.occurrence, None, ty, (low, high), *value).map(Shadow::Int)
                }
                (InputValue::Fails(fails), _) => {
                    let value = i128::from(*fails);
                    let term = self.input(record.place, record.occurrence, None, IntType::unsigned(8), (0, 1), value);
                    self.fix_any(term.map(Shadow::Int));
                    None
                }
                (InputValue::Bytes(_), _) => None,
                _ => {
                    self.pinned.push(record.clone());
                    None
                }
            };
            taken.push((record, shadow));
        }
        taken
    }
}

fn fits_64(low: i128, high: i128) -> bool {
    (low < 0 && low >= i64::MIN.into() && high <= i64::MAX.into()) || (low >= 0 && high <= u64::MAX.into())
}

/// A type that holds all numbers of 64 bits, and their sums.
pub const WIDE: IntType = IntType { bits: 72, signed: true, boolean: false };
