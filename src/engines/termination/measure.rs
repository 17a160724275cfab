//! Numbers that may fall from turn to turn: variables that the loop writes, what its conditions compare, sums of them.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Table 5.

use crate::encode::automaton::ROOT;
use crate::encode::value::Shape;
use crate::encode::{Automaton, Cell, ContextId, EdgeKind, Encoder, NodeId, State, Value};
use crate::ir::print::{print_expr, print_place};
use crate::ir::{Expr, ExprKind, PlaceBase, Program};
use crate::smt::Term;
use std::collections::BTreeMap;

/// Something that is a number at a loop's head.
#[derive(Clone, Copy, Debug)]
enum Operand<'p> {
    Cell(Cell),
    Expr(ContextId, &'p Expr),
}

/// How operands become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Their sum, each added or subtracted.
    Sum,
    /// That sum without its sign.
    Distance,
    /// The largest, or its negation when they are subtracted.
    Max,
    /// The smallest, or its negation.
    Min,
}

/// A number made of operands that does not wrap.
#[derive(Clone, Debug)]
pub struct Measure<'p> {
    form: Form,
    parts: Vec<(bool, Operand<'p>)>,
}

/// Measures of one loop.
const MOST: usize = 120;
/// Variables whose sums and differences of two are tried.
const PAIRED: usize = 6;
/// Variables whose largest and smallest are tried.
const EXTREMES: usize = 6;
/// Bits that a sum of `MOST` operands may have more than they.
const SPARE: u32 = 8;

impl<'p> Measure<'p> {
    /// Its value in a state.
    pub fn term(&self, encoder: &mut Encoder<'_, 'p>, state: &State) -> Term {
        let mut state = state.clone();
        let values: Vec<(bool, Term, bool)> = self
            .parts
            .iter()
            .map(|(added, operand)| {
                let (value, signed) = operand.value(encoder, &mut state);
                (*added, value, signed)
            })
            .collect();
        let width = values.iter().filter_map(|(_, t, _)| encoder.pool.sort(*t).width()).max().unwrap_or(8) + SPARE;
        if matches!(self.form, Form::Max | Form::Min) {
            return self.extreme(encoder, width, values);
        }
        let mut total = encoder.pool.bv(width, 0);
        for (added, value, signed) in values {
            let value = encoder.pool.resize(width, signed, value);
            total = if added { encoder.pool.bv_add(total, value) } else { encoder.pool.bv_sub(total, value) };
        }
        if self.form == Form::Distance {
            let zero = encoder.pool.bv(width, 0);
            let (negative, turned) = (encoder.pool.bv_slt(total, zero), encoder.pool.bv_neg(total));
            return encoder.pool.ite(negative, turned, total);
        }
        total
    }

    /// The largest or smallest of the values, in `width` bits.
    fn extreme(&self, encoder: &mut Encoder<'_, 'p>, width: u32, values: Vec<(bool, Term, bool)>) -> Term {
        let is_negated = values.first().is_some_and(|(added, ..)| !added);
        let mut best: Option<Term> = None;
        for (_, value, signed) in values {
            let value = encoder.pool.resize(width, signed, value);
            best = Some(match best {
                None => value,
                Some(best) => {
                    let less = encoder.pool.bv_slt(best, value);
                    let (yes, no) = if self.form == Form::Max { (value, best) } else { (best, value) };
                    encoder.pool.ite(less, yes, no)
                }
            });
        }
        let best = best.unwrap_or_else(|| encoder.pool.bv(width, 0));
        if is_negated { encoder.pool.bv_neg(best) } else { best }
    }

    /// The number in C.
    pub fn in_c(&self, program: &Program) -> String {
        if matches!(self.form, Form::Max | Form::Min) {
            let sign = if self.parts.first().is_some_and(|(added, _)| !added) { "-" } else { "" };
            let name = if self.form == Form::Max { "max" } else { "min" };
            let parts: Vec<String> = self.parts.iter().map(|(_, operand)| operand.in_c(program)).collect();
            return format!("{sign}{name}({})", parts.join(", "));
        }
        let mut text = String::new();
        for (added, operand) in &self.parts {
            text.push_str(match (text.is_empty(), added) {
                (true, true) => "",
                (true, false) => "-",
                (false, true) => " + ",
                (false, false) => " - ",
            });
            text.push_str(&operand.in_c(program));
        }
        if self.form == Form::Distance { format!("|{text}|") } else { text }
    }
}

impl Operand<'_> {
    /// Its bits, and whether they have a sign.
    fn value(&self, encoder: &mut Encoder<'_, '_>, state: &mut State) -> (Term, bool) {
        let (value, shape) = match self {
            Operand::Cell(cell) => {
                let ty = encoder.program.variables[cell.variable].ty;
                let shape = encoder.shape(ty).unwrap_or(Shape::Bool);
                (encoder.scalar_value(state, *cell, shape), shape)
            }
            Operand::Expr(context, e) => (encoder.eval(state, *context, e), encoder.shape(e.ty).unwrap_or(Shape::Bool)),
        };
        match value {
            Value::Bits(bits) => (bits, shape.signed()),
            Value::Pointer { offset, .. } => (offset, true),
        }
    }

    fn in_c(&self, program: &Program) -> String {
        match self {
            Operand::Cell(cell) => program.variables[cell.variable].name.clone(),
            Operand::Expr(_, e) => in_c(program, e),
        }
    }
}

/// An expression in C, without the conversions.
fn in_c(program: &Program, e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Cast(a) => in_c(program, a),
        ExprKind::Load(place) => match (place.as_var(), &place.base) {
            (Some(v), _) if place.offset == 0 => program.variables[v].name.clone(),
            (None, PlaceBase::Deref(pointer)) if place.offset == 0 => format!("*{}", in_c(program, pointer)),
            _ => print_place(program, place),
        },
        _ => print_expr(program, e),
    }
}

/// What may fall in the loop of `head`, the likeliest first.
pub fn measures<'p>(encoder: &Encoder<'_, 'p>, head: NodeId) -> Vec<Measure<'p>> {
    let order = &encoder.automaton.order;
    let written: Vec<Cell> = encoder.loop_writes(head).cells().collect();
    measures_in(encoder, &|node| order.is_inside(node, head), &written)
}

/// What may fall from an activation of the automaton's first function to the next below it.
pub fn measures_of_parameters<'p>(encoder: &Encoder<'_, 'p>) -> Vec<Measure<'p>> {
    let function = encoder.automaton.contexts[ROOT].function;
    let params = encoder.program.functions[function].params.iter();
    let params: Vec<Cell> = params.filter(|p| !encoder.is_object(**p)).map(|p| encoder.cell(ROOT, *p)).collect();
    measures_in(encoder, &|node| encoder.automaton.nodes[node].context == ROOT, &params)
}

/// Measures over `cells` and over what is compared in the nodes `inside`.
fn measures_in<'p>(encoder: &Encoder<'_, 'p>, inside: &dyn Fn(NodeId) -> bool, cells: &[Cell]) -> Vec<Measure<'p>> {
    let mut found = Found { program: encoder.program, list: BTreeMap::new() };
    let compared = compared(encoder.automaton, inside);
    for (context, a, b) in &compared {
        found.add_compared(encoder, *context, a, *b);
    }
    let is_number = |cell: &&Cell| {
        let shape = encoder.shape(encoder.program.variables[cell.variable].ty);
        matches!(shape, Some(Shape::Int { width: ..=64, .. } | Shape::Pointer { .. }))
    };
    let written: Vec<Cell> = cells.iter().filter(is_number).copied().collect();
    for cell in &written {
        found.add_both(&[(true, Operand::Cell(*cell))]);
    }
    for (n, a) in written.iter().enumerate().take(PAIRED) {
        for b in written.iter().take(PAIRED).skip(n + 1) {
            found.add_both(&[(true, Operand::Cell(*a)), (true, Operand::Cell(*b))]);
            found.add_both(&[(true, Operand::Cell(*a)), (false, Operand::Cell(*b))]);
        }
    }
    for (context, a, b) in &compared {
        found.add_distance(encoder, *context, a, *b);
    }
    if (2..=EXTREMES).contains(&written.len()) {
        for form in [Form::Max, Form::Min] {
            for added in [true, false] {
                let parts = written.iter().map(|cell| (added, Operand::Cell(*cell))).collect();
                found.add_as(form, parts);
            }
        }
    }
    if written.len() > 2 {
        let all: Vec<_> = written.iter().take(MOST).map(|cell| (true, Operand::Cell(*cell))).collect();
        found.add_both(&all);
    }
    found.in_order()
}

/// Measures by their text, with the order in which they were found.
struct Found<'p> {
    program: &'p Program,
    list: BTreeMap<String, (usize, Measure<'p>)>,
}

impl<'p> Found<'p> {
    fn add(&mut self, parts: Vec<(bool, Operand<'p>)>) {
        self.add_as(Form::Sum, parts);
    }

    fn add_as(&mut self, form: Form, parts: Vec<(bool, Operand<'p>)>) {
        let measure = Measure { form, parts };
        let number = self.list.len();
        if number < MOST {
            self.list.entry(measure.in_c(self.program)).or_insert((number, measure));
        }
    }

    /// The sum and its negation.
    fn add_both(&mut self, parts: &[(bool, Operand<'p>)]) {
        self.add(parts.to_vec());
        self.add(parts.iter().map(|(added, operand)| (!added, *operand)).collect());
    }

    /// How far two numbers that are compared are apart, one of which may be a constant.
    fn add_distance(&mut self, encoder: &Encoder<'_, 'p>, context: ContextId, a: &'p Expr, b: Option<&'p Expr>) {
        let Some(b) = b else { return };
        let is_number = |e: &Expr| matches!(encoder.shape(e.ty), Some(Shape::Int { width: ..=64, .. }));
        if is_number(a) && is_number(b) {
            let parts = vec![(true, Operand::Expr(context, a)), (false, Operand::Expr(context, b))];
            self.add_as(Form::Distance, parts);
        }
    }

    fn add_compared(&mut self, encoder: &Encoder<'_, 'p>, context: ContextId, a: &'p Expr, b: Option<&'p Expr>) {
        let is_number = |e: &&'p Expr| {
            let shape = encoder.shape(e.ty);
            e.as_int().is_none() && matches!(shape, Some(Shape::Int { width: ..=64, .. } | Shape::Pointer { .. }))
        };
        let a = Some(a).filter(is_number).map(|e| Operand::Expr(context, e));
        let b = b.filter(is_number).map(|e| Operand::Expr(context, e));
        if let (Some(a), Some(b)) = (a, b) {
            self.add_both(&[(true, a), (false, b)]);
        }
        for one in [a, b].into_iter().flatten() {
            self.add_both(&[(true, one)]);
        }
    }

    fn in_order(self) -> Vec<Measure<'p>> {
        let mut list: Vec<(usize, Measure<'p>)> = self.list.into_values().collect();
        list.sort_by_key(|(number, _)| *number);
        list.into_iter().map(|(_, measure)| measure).collect()
    }
}

/// What the conditions of the loop compare, with the activations they stand in.
fn compared<'p>(
    automaton: &Automaton<'p>,
    inside: &dyn Fn(NodeId) -> bool,
) -> Vec<(ContextId, &'p Expr, Option<&'p Expr>)> {
    let mut found = Vec::new();
    let mut nodes: Vec<NodeId> = automaton.nodes.indices().filter(|n| inside(*n)).collect();
    nodes.sort_by_key(|n| automaton.order.position(*n));
    for node in nodes {
        let node = &automaton.nodes[node];
        for edge in &node.edges {
            let condition = match &edge.kind {
                EdgeKind::Branch(condition, true) => condition,
                EdgeKind::Case(value, ..) => value,
                _ => continue,
            };
            comparisons(node.context, condition, &mut found);
        }
    }
    found
}

fn comparisons<'p>(context: ContextId, e: &'p Expr, found: &mut Vec<(ContextId, &'p Expr, Option<&'p Expr>)>) {
    match &e.kind {
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let is_truth = matches!(&a.kind, ExprKind::Binary(op, ..) if op.is_comparison());
            if is_truth {
                comparisons(context, a, found);
            } else {
                found.push((context, a, Some(b)));
            }
        }
        ExprKind::Cast(a) if matches!(&a.kind, ExprKind::Binary(..)) => comparisons(context, a, found),
        _ => found.push((context, e, None)),
    }
}
