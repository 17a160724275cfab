//! The program as one control-flow automaton: calls are inlined, so that every loop is a loop of the automaton and every
//! variable of an activation has a name of its own.

use super::calls::is_small;
use super::order::Order;
use super::split::split;
use crate::base::{Idx, IndexVec};
use crate::ir::{
    BlockId, CallId, Callee, Expr, FuncId, Place, PlaceBase, Program, SiteId, StmtKind, Terminator, program::ENTRY,
};
use crate::memory::Memory;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

crate::new_index! {
    /// A place of control: a run of statements of one block in one activation.
    pub struct NodeId = "n";
    /// An activation of a function: the chain of calls that leads to it.
    pub struct ContextId = "ctx";
}

/// An activation.
#[derive(Clone, Debug)]
pub struct Context<'p> {
    pub function: FuncId,
    /// The caller, the node behind the call, and what the result goes to; None for the entry.
    pub caller: Option<(ContextId, NodeId, Option<&'p Place>)>,
}

/// Statements `from..to` of a block, then one of the edges.
#[derive(Clone, Debug)]
pub struct Node<'p> {
    pub context: ContextId,
    pub function: FuncId,
    pub block: BlockId,
    pub from: usize,
    pub to: usize,
    pub edges: Vec<Edge<'p>>,
    /// Why control that comes to the node's end is not followed.
    pub cut: Option<String>,
    /// The program ends here.
    pub last: bool,
}

/// A way on from a node's end.
#[derive(Clone, Debug)]
pub struct Edge<'p> {
    pub to: NodeId,
    pub kind: EdgeKind<'p>,
}

/// What taking an edge means.
#[derive(Clone, Debug)]
pub enum EdgeKind<'p> {
    Goto,
    /// The condition is not 0 (true) or 0.
    Branch(&'p Expr, bool),
    /// The value lies in the case's range.
    Case(&'p Expr, i128, i128),
    /// The value lies in none of the ranges.
    Default(&'p Expr, Vec<(i128, i128)>),
    /// Control enters a new activation; through a pointer: the pointer is the function's address.
    Call {
        context: ContextId,
        args: &'p [Expr],
        through: Option<&'p Expr>,
    },
    /// A call that is not followed: of this function, or of any that a pointer may be to.
    Skip {
        call: CallId,
        callee: Option<FuncId>,
        args: &'p [Expr],
        dest: Option<&'p Place>,
    },
    /// Control goes back behind the call.
    Return(Option<&'p Expr>, Option<&'p Place>),
}

/// How far calls are inlined.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub nodes: usize,
    /// Activations of one function inside each other.
    pub recursion: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { nodes: 20_000, recursion: 4 }
    }
}

/// The automaton.
#[derive(Clone, Debug)]
pub struct Automaton<'p> {
    pub program: &'p Program,
    pub memory: &'p Memory,
    pub nodes: IndexVec<NodeId, Node<'p>>,
    pub contexts: IndexVec<ContextId, Context<'p>>,
    pub order: Order,
    /// Whether it is one function by itself, called in any state: calls that are not followed may write what the relations say.
    pub is_open: bool,
}

/// The automaton's first node and the entry's activation.
pub const START: NodeId = NodeId(0);
/// The activation of the entry; also the owner of static variables.
pub const ROOT: ContextId = ContextId(0);

impl<'p> Automaton<'p> {
    /// The automaton of all executions from `entry`; the reason when it would be too large.
    pub fn new(program: &'p Program, memory: &'p Memory, entry: FuncId, bounds: Bounds) -> Result<Self, String> {
        Self::build(program, memory, entry, bounds, false)
    }

    /// The sites of the checks that control may come to from statements that are not encoded, by node and number in the block; theirs included.
    /// Whatever these do may call functions that pointers are to, and a function that was not understood may call any; where control is not
    /// followed from, it may come anywhere.
    pub fn sites_behind(&self, places: &[(NodeId, usize)]) -> BTreeSet<SiteId> {
        let (program, memory) = (self.program, self.memory);
        let mut sites = BTreeSet::new();
        let (mut work, mut seen) = (Vec::new(), BTreeSet::new());
        for (node, _) in places {
            work.extend(self.nodes[*node].edges.iter().map(|edge| edge.to));
        }
        while let Some(node) = work.pop() {
            if seen.insert(node) {
                work.extend(self.nodes[node].edges.iter().map(|edge| edge.to));
            }
        }
        let starts = places.iter().map(|(node, _)| node);
        let is_lost = starts.chain(&seen).any(|node| self.nodes[*node].cut.is_some());
        if places.is_empty() || is_lost {
            return program.sites.indices().filter(|_| is_lost).collect();
        }
        let mut note = |function: FuncId, block: BlockId, from: usize, to: usize| {
            for stmt in program.functions[function].blocks[block].stmts.iter().take(to).skip(from) {
                if let StmtKind::Check(check) = &stmt.kind {
                    sites.extend(check.sites());
                }
            }
        };
        let is_clear = program.functions.iter().all(|f| f.failed.is_none());
        let called = if is_clear { memory.taken().to_vec() } else { program.functions.indices().collect() };
        let called: BTreeSet<FuncId> = called.into_iter().flat_map(|f| memory.reachable_from(f)).collect();
        for function in called {
            program.functions[function].blocks.indices().for_each(|block| note(function, block, 0, usize::MAX));
        }
        for &(node, number) in places {
            let n = &self.nodes[node];
            note(n.function, n.block, number, n.to);
        }
        for node in seen {
            let n = &self.nodes[node];
            note(n.function, n.block, n.from, n.to);
        }
        sites
    }

    /// The automaton of all runs of `function`, called in any state that satisfies what the checks ask for. Calls of small functions are
    /// followed, others have any of their effects; the reason when it would be too large.
    pub fn of_function(program: &'p Program, memory: &'p Memory, function: FuncId) -> Result<Self, String> {
        Self::build(program, memory, function, Bounds::default(), true)
    }

    fn build(
        program: &'p Program,
        memory: &'p Memory,
        entry: FuncId,
        bounds: Bounds,
        is_open: bool,
    ) -> Result<Self, String> {
        let mut builder = Builder {
            program,
            memory,
            bounds,
            is_open,
            entry,
            nodes: IndexVec::new(),
            contexts: IndexVec::new(),
            ids: FxHashMap::default(),
            called: FxHashMap::default(),
            small: FxHashMap::default(),
            open: Vec::new(),
        };
        builder.contexts.push(Context { function: entry, caller: None });
        builder.node(ROOT, ENTRY, 0);
        while let Some(node) = builder.open.pop() {
            builder.expand(node);
            if builder.nodes.len() > bounds.nodes {
                return Err(format!("more than {} blocks after inlining", bounds.nodes));
            }
        }
        let mut nodes = builder.nodes;
        let order = split(&mut nodes, bounds.nodes);
        Ok(Automaton { program, memory, nodes, contexts: builder.contexts, order, is_open })
    }

    /// The nodes that loops are entered at, outer ones first.
    pub fn heads(&self) -> Vec<NodeId> {
        self.order.heads()
    }
    /// Whether the automaton has a node that stands for a construct that is not followed.
    pub fn cuts(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter_map(|n| n.cut.as_deref())
    }
    /// Why control that has been at `from` may get to where it is not followed, if it may.
    pub fn cut_behind(&self, from: NodeId) -> Option<&str> {
        let mut seen = vec![false; self.nodes.len()];
        let mut work = vec![from];
        while let Some(n) = work.pop() {
            if std::mem::replace(&mut seen[n.index()], true) {
                continue;
            }
            if let Some(why) = &self.nodes[n].cut {
                return Some(why);
            }
            work.extend(self.nodes[n].edges.iter().map(|e| e.to));
        }
        None
    }
    /// Where the node's last statement or terminator stands.
    pub fn span(&self, node: NodeId) -> crate::base::Span {
        let node = &self.nodes[node];
        let block = &self.program.functions[node.function].blocks[node.block];
        block.stmts.get(node.from).map_or(block.span, |s| s.span)
    }
}

struct Builder<'p> {
    program: &'p Program,
    memory: &'p Memory,
    bounds: Bounds,
    is_open: bool,
    entry: FuncId,
    nodes: IndexVec<NodeId, Node<'p>>,
    contexts: IndexVec<ContextId, Context<'p>>,
    ids: FxHashMap<(ContextId, BlockId, usize), NodeId>,
    called: FxHashMap<(NodeId, FuncId), ContextId>,
    /// Which functions are small, once that has been asked.
    small: FxHashMap<FuncId, bool>,
    open: Vec<NodeId>,
}

impl<'p> Builder<'p> {
    fn node(&mut self, context: ContextId, block: BlockId, from: usize) -> NodeId {
        if let Some(&id) = self.ids.get(&(context, block, from)) {
            return id;
        }
        let function = self.contexts[context].function;
        let stmts = &self.program.functions[function].blocks[block].stmts;
        let is_call = |kind: &StmtKind| matches!(kind, StmtKind::Call { callee, .. } if self.has_body(callee));
        let to = stmts[from..].iter().position(|s| is_call(&s.kind)).map_or(stmts.len(), |n| from + n);
        let node = Node { context, function, block, from, to, edges: Vec::new(), cut: None, last: false };
        let id = self.nodes.push(node);
        self.ids.insert((context, block, from), id);
        self.open.push(id);
        id
    }

    /// Whether the call is followed into a body; calls without are effects on a state.
    fn has_body(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Direct(f) => self.program.functions[*f].has_body(),
            Callee::Indirect(_) => true,
        }
    }

    fn expand(&mut self, id: NodeId) {
        let Node { context, function, block, to, .. } = self.nodes[id];
        let body = &self.program.functions[function].blocks[block];
        match body.stmts.get(to).map(|s| &s.kind) {
            Some(StmtKind::Call { call, dest, callee, args }) => {
                let behind = self.node(context, block, to + 1);
                self.call(id, behind, *call, dest.as_ref(), callee, args);
            }
            _ => self.terminate(id, context, &body.terminator),
        }
    }

    fn call(
        &mut self,
        id: NodeId,
        behind: NodeId,
        call: CallId,
        dest: Option<&'p Place>,
        callee: &'p Callee,
        args: &'p [Expr],
    ) {
        if self.is_skipped(dest, callee, args) {
            let callee = if let Callee::Direct(f) = callee { Some(*f) } else { None };
            self.nodes[id].edges.push(Edge { to: behind, kind: EdgeKind::Skip { call, callee, args, dest } });
            return;
        }
        if dest.is_some_and(|d| !matches!(d.base, PlaceBase::Var(_))) {
            self.nodes[id].cut = Some("a call's result goes behind a pointer".to_owned());
            return;
        }
        let (targets, through) = match callee {
            Callee::Direct(f) => (vec![*f], None),
            Callee::Indirect(pointer) => (self.memory.callees(call).to_vec(), Some(pointer)),
        };
        let mut left_out = through.is_some() && self.memory.calls_unknown(call);
        for function in targets {
            let body = &self.program.functions[function];
            left_out |= !body.has_body();
            let caller = self.nodes[id].context;
            let reason = if args.len() < body.params.len() {
                Some(format!("function '{}' is called with too few arguments", body.name))
            } else if args.len() > body.params.len() {
                Some(format!("function '{}' takes variable arguments", body.name))
            } else if self.depth(caller, function) >= self.bounds.recursion {
                Some(format!("recursion of '{}' deeper than {}", body.name, self.bounds.recursion))
            } else {
                None
            };
            left_out |= reason.is_some();
            if reason.is_some() && through.is_none() {
                self.nodes[id].cut = reason;
                return;
            }
            if reason.is_some() || !body.has_body() {
                continue; // Left to the gap of a pointer to none of the targets.
            }
            let context = *self
                .called
                .entry((id, function))
                .or_insert_with(|| self.contexts.push(Context { function, caller: Some((caller, behind, dest)) }));
            let to = self.node(context, ENTRY, 0);
            self.nodes[id].edges.push(Edge { to, kind: EdgeKind::Call { context, args, through } });
        }
        if through.is_some() && left_out {
            self.nodes[id].cut = Some("a call through a pointer that may be to another function".to_owned());
        }
    }

    /// Whether the call stands for its effects.
    fn is_skipped(&mut self, dest: Option<&'p Place>, callee: &'p Callee, args: &'p [Expr]) -> bool {
        if !self.is_open {
            return false;
        }
        let Callee::Direct(f) = callee else { return true };
        *f == self.entry
            || !*self.small.entry(*f).or_insert_with(|| is_small(self.program, self.memory, *f))
            || args.len() != self.program.functions[*f].params.len()
            || dest.is_some_and(|d| !matches!(d.base, PlaceBase::Var(_)))
            || self.nodes.len() > self.bounds.nodes / 4
    }

    /// How many activations of `function` enclose `context`.
    fn depth(&self, mut context: ContextId, function: FuncId) -> usize {
        let mut depth = 0;
        loop {
            depth += usize::from(self.contexts[context].function == function);
            match self.contexts[context].caller {
                Some((caller, ..)) => context = caller,
                None => return depth,
            }
        }
    }

    fn terminate(&mut self, id: NodeId, context: ContextId, terminator: &'p Terminator) {
        let mut edges: Vec<Edge<'p>> = Vec::new();
        match terminator {
            Terminator::Goto(b) => edges.push(Edge { to: self.node(context, *b, 0), kind: EdgeKind::Goto }),
            Terminator::Branch { cond, then_to, else_to } => {
                for (b, holds) in [(*then_to, true), (*else_to, false)] {
                    edges.push(Edge { to: self.node(context, b, 0), kind: EdgeKind::Branch(cond, holds) });
                }
            }
            Terminator::Switch { value, cases, default } => {
                for c in cases {
                    let kind = EdgeKind::Case(value, c.low, c.high);
                    edges.push(Edge { to: self.node(context, c.target, 0), kind });
                }
                let ranges = cases.iter().map(|c| (c.low, c.high)).collect();
                let kind = EdgeKind::Default(value, ranges);
                edges.push(Edge { to: self.node(context, *default, 0), kind });
            }
            Terminator::IndirectGoto { .. } => self.nodes[id].cut = Some("a computed goto".to_owned()),
            Terminator::Return(value) => match self.contexts[context].caller {
                Some((_, behind, dest)) => {
                    edges.push(Edge { to: behind, kind: EdgeKind::Return(value.as_ref(), dest) });
                }
                None => self.nodes[id].last = true,
            },
            Terminator::Exit(_) | Terminator::Unreachable => self.nodes[id].last = true,
        }
        self.nodes[id].edges = edges;
    }
}

impl Node<'_> {
    /// Whether the node is the start of its block.
    pub fn is_block_start(&self) -> bool {
        self.from == 0
    }
}
