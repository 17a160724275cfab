//! Arguments of calls, on their way into the callee's parameters.

use super::analyzer::{Analyzer, Flow};
use super::call::held_pointer;
use super::differences::Copied;
use super::execute::is_aggregate;
use super::lists::{Lists, Source};
use super::object::Object;
use super::paths::Node;
use super::shape::Shape;
use super::state::State;
use super::texts::{Holder, Text};
use crate::domains::{BaseId, Int, Pointers, Value};
use crate::ir::padding::padding;
use crate::ir::{Expr, ExprKind, FuncId, VarId};
use std::sync::Arc;

/// A number or pointer on its way, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub value: Value,
    pub shape: Option<Shape>,
    pub text: Option<Text>,
    pub copied: Vec<Copied>,
    pub node: Option<Node>,
    /// Where a pointer comes from.
    pub source: Source,
}

/// A record on its way: where its bytes start in an object, and what is known of the pointers there beside what the object says.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub object: Arc<Object>,
    at: i64,
    nodes: Vec<(Holder, Node)>,
}

/// An argument on its way.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Scalar(Box<Scalar>),
    Aggregate(Option<Box<Record>>),
}

impl Argument {
    /// What is known of it and others.
    pub fn copied(&self) -> &[Copied] {
        match self {
            Argument::Scalar(scalar) => &scalar.copied,
            Argument::Aggregate(_) => &[],
        }
    }
}

impl Analyzer<'_, '_> {
    /// The values of an argument, and what is known of them.
    pub(super) fn argument(&self, flow: &Flow, arg: &Expr) -> Argument {
        let view = self.view(flow);
        if !is_aggregate(&self.program.types, arg.ty) {
            let value = view.eval(arg);
            let (text, shape) = (self.text_copied(flow, arg, &value), Shape::of(&self.program.types, arg.ty));
            let (copied, node) = (view.copied_terms(arg), view.node(arg).map(Node::without_indices));
            let source = view.source(arg);
            return Argument::Scalar(Box::new(Scalar { value, shape, text, copied, node, source }));
        }
        let ExprKind::Load(place) = &arg.kind else { return Argument::Aggregate(None) };
        let address = view.address(place);
        let source = match address.targets() {
            [(base, offset)] if !address.is_any() => self.record(flow, *base, *offset),
            _ => None,
        };
        Argument::Aggregate(source.map(Box::new))
    }

    /// The record at an offset in an object, if that is one number.
    fn record(&self, flow: &Flow, base: BaseId, offset: Int) -> Option<Record> {
        let object = flow.state.object(&self.bases, base)?.clone();
        let at = offset.as_constant().and_then(|o| i64::try_from(o).ok())?;
        let led = |pointers: &Pointers| !pointers.targets().is_empty();
        let nodes = if self.shares() { flow.state.pointers_known(&self.bases, base, led) } else { Vec::new() };
        let nodes = nodes.into_iter().map(|(cell, node)| (cell, node.without_indices())).collect();
        Some(Record { object, at, nodes })
    }

    /// An argument with the names that others have for what it points to.
    pub(super) fn handed(&mut self, state: &State, arg: &Argument) -> Argument {
        match arg {
            Argument::Scalar(scalar) => {
                let node = state.known_around(&self.bases, &scalar.value, scalar.node.as_ref());
                let value = self.handed_over(&scalar.value);
                Argument::Scalar(Box::new(Scalar { value, text: None, node, ..Scalar::clone(scalar) }))
            }
            Argument::Aggregate(None) => Argument::Aggregate(None),
            Argument::Aggregate(Some(record)) => {
                let object = self.as_seen_elsewhere(record.object.clone());
                Argument::Aggregate(Some(Box::new(Record { object, ..Record::clone(record) })))
            }
        }
    }

    /// An argument with nothing in it that has a name in the caller's state.
    pub(super) fn unnamed(&self, state: &State, arg: &Argument) -> Argument {
        match arg {
            Argument::Scalar(scalar) => {
                let node = state.implied_node(&self.bases, &scalar.value).or(scalar.node.clone());
                let value = self.bases.unnamed(&scalar.value);
                Argument::Scalar(Box::new(Scalar { value, text: None, node, ..Scalar::clone(scalar) }))
            }
            Argument::Aggregate(given) => Argument::Aggregate(given.as_ref().map(|record| {
                let mut object = Object::clone(&record.object);
                object.map_values(|v| *v = self.bases.unnamed(v));
                Box::new(Record { object: Arc::new(object), ..Record::clone(record) })
            })),
        }
    }

    /// Sets the parameters.
    pub(super) fn bind(&mut self, state: &mut State, f: FuncId, args: &[Argument]) {
        let params: Vec<VarId> = self.program.functions[f].params.clone();
        for (i, v) in params.into_iter().enumerate() {
            let variable = &self.program.variables[v];
            let size = Int::constant(i128::from(variable.size));
            let shape = Shape::of(&self.program.types, variable.ty);
            let mut object = Object::new(size, Value::indeterminate());
            let (mut string, mut same, mut reached) = (None, None, None);
            let base = self.bases.variable(v);
            let mut nodes: Vec<(Holder, Node)> = Vec::new();
            match (args.get(i), shape) {
                (Some(Argument::Scalar(scalar)), Some(shape)) if scalar.shape == Some(shape) => {
                    reached = scalar.node.clone();
                    object.write(0, shape, scalar.value.clone());
                    string = scalar.text.map(|text| (&scalar.value, text));
                    same = Some(shape);
                }
                (Some(Argument::Aggregate(Some(record))), None) => {
                    let (at, size) = (record.at, variable.size as i64);
                    object.copy_range(0, &record.object, at, size);
                    let inside = record
                        .nodes
                        .iter()
                        .filter(|(cell, _)| cell.at >= at && cell.at + i64::from(cell.size) <= at + size);
                    nodes.extend(inside.map(|(cell, node)| (Holder { base, at: cell.at - at, ..*cell }, node.clone())));
                    for gap in padding(&self.program.types, variable.ty) {
                        let (first, len) = gap.extent();
                        object.set_range(first as i64, (first + len) as i64, &Shape::BYTE.anything());
                    }
                }
                (None, _) => {}
                _ => object = Object::new(size, Value { undefined: true, ..Shape::BYTE.anything() }),
            }
            state.set(base, Arc::new(object));
            nodes.into_iter().for_each(|(cell, node)| state.paths_mut().note(cell, node));
            if let Some((value, text)) = string {
                state.note_text(held_pointer(base), value, text);
            }
            if let Some(holder) = same.and_then(|shape| Holder::of(base, 0, shape)) {
                if let Some(node) = reached {
                    state.paths_mut().note(holder, node);
                }
                self.bind_bounds(state, i as u32, holder, self.program.types.is_pointer(variable.ty));
            }
        }
    }

    /// What is known of lists where a call begins that is followed, of its parameters too.
    pub(super) fn lists_given(&self, state: &State, before: &State, f: FuncId, args: &[Argument]) -> Lists {
        let (types, mut given) = (&self.program.types, state.clone());
        *given.lists_mut() = state.lists_called(&self.bases, |base| before.mentions(base));
        for (v, arg) in self.program.functions[f].params.iter().zip(args) {
            let (base, shape) = (self.bases.variable(*v), Shape::of(types, self.program.variables[*v].ty));
            if let (Argument::Scalar(scalar), Some(cell)) = (arg, shape.and_then(|shape| Holder::of(base, 0, shape)))
                && scalar.shape == shape
            {
                let facts = given.listed_copy(&self.bases, cell, scalar.source);
                given.lists_mut().add(facts);
            }
        }
        given.lists().clone()
    }

    /// A function's parameters when nobody says what they are. `indeterminate`: characters and members of records may be,
    /// whose reads are not all judged where they are handed over.
    pub(super) fn bind_unknown(&mut self, state: &mut State, f: FuncId, indeterminate: bool) {
        let params: Vec<VarId> = self.program.functions[f].params.clone();
        for v in params {
            let variable = &self.program.variables[v];
            let size = Int::constant(i128::from(variable.size));
            let object = match Shape::of(&self.program.types, variable.ty) {
                Some(shape) => {
                    let pointer = self.program.types.is_pointer(variable.ty);
                    let address = indeterminate && shape.len() >= self.program.types.pointer_size() as i64;
                    let may_lead = pointer || address && self.memory.makes_pointers_of_numbers();
                    let value = if may_lead { shape.anything() } else { shape.top() };
                    let value = Value { undefined: indeterminate && shape.size == 1, ..value };
                    Object::of_elements(size, shape, value)
                }
                None => Object::new(size, Value { undefined: indeterminate, ..Shape::BYTE.anything() }),
            };
            let base = self.bases.variable(v);
            state.set(base, Arc::new(object));
        }
    }
}
