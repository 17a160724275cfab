//! A function body under construction: blocks, labels, jump targets, lifetimes.

use super::error::{LowerError, Lowered};
use super::hooks::Cleanup;
use crate::base::{IndexVec, Span};
use crate::ir::program::ENTRY;
use crate::ir::{Block, BlockId, Case, Expr, ExprKind, FuncId, Place, Stmt, StmtKind, Terminator, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where `break` or `continue` go, and how many scopes are open there.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpTarget {
    pub block: BlockId,
    pub depth: usize,
}

/// The `switch` around the current point.
#[derive(Debug)]
pub(super) struct SwitchFrame {
    pub cases: Vec<Case>,
    pub default: Option<BlockId>,
    pub ty: TypeId,
    /// Scopes open at the switch; declarations in deeper ones can be jumped over by a case.
    pub depth: usize,
    pub bypassed: Vec<VarId>,
}

#[derive(Debug)]
struct Label {
    block: BlockId,
    /// Scopes around the label, once it is placed.
    chain: Option<Vec<u32>>,
    /// Of the variables there.
    cleanups: Vec<Cleanup>,
    used_at: Span,
}

/// A `goto` whose lifetimes are settled when all labels are placed.
#[derive(Debug)]
struct Goto {
    from: BlockId,
    label: String,
    chain: Vec<u32>,
    /// Of all variables there; those that are not there at the label will run.
    cleanups: Vec<Cleanup>,
    span: Span,
}

/// A block's statements, and its end once it has one.
type OpenBlock = (Vec<Stmt>, Option<(Terminator, Span)>);

/// The body being built. There is always a current block to append to.
#[derive(Debug)]
pub(super) struct Body {
    pub function: FuncId,
    pub result: TypeId,
    pub locals: Vec<VarId>,
    pub breaks: Vec<JumpTarget>,
    pub continues: Vec<JumpTarget>,
    pub switches: Vec<SwitchFrame>,
    /// Automatic variables by the scope that declares them, kept after the scope is left for `goto`s.
    pub scope_locals: FxHashMap<u32, Vec<VarId>>,
    blocks: Vec<OpenBlock>,
    /// Loop statements by the block that their turns begin with.
    loops: FxHashMap<BlockId, Span>,
    current: BlockId,
    labels: FxHashMap<String, Label>,
    gotos: Vec<Goto>,
    addressed: Vec<BlockId>,
    /// What computed `goto`s leave their label in, and the block that they jump from.
    pub dispatch: Option<(Place, BlockId)>,
    pub temps: u32,
}

impl Body {
    pub fn new(function: FuncId, result: TypeId) -> Self {
        Body {
            function,
            result,
            locals: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            scope_locals: FxHashMap::default(),
            blocks: vec![(Vec::new(), None)],
            loops: FxHashMap::default(),
            current: ENTRY,
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            addressed: Vec::new(),
            dispatch: None,
            temps: 0,
        }
    }
    pub fn push(&mut self, kind: StmtKind, span: Span) {
        self.blocks[self.current.0 as usize].0.push(Stmt { kind, span });
    }
    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push((Vec::new(), None));
        BlockId(self.blocks.len() as u32 - 1)
    }
    /// Ends the current block, unless it has ended, and goes on in a new one that nothing reaches yet.
    pub fn terminate(&mut self, terminator: Terminator, span: Span) {
        let next = self.new_block();
        let block = &mut self.blocks[self.current.0 as usize];
        if block.1.is_none() {
            block.1 = Some((terminator, span));
        }
        self.current = next;
    }
    /// Goes on in `block`; control falls into it from the current one.
    pub fn fall_into(&mut self, block: BlockId, span: Span) {
        self.blocks[self.current.0 as usize].1.get_or_insert((Terminator::Goto(block), span));
        self.current = block;
    }
    /// The same, where the turns of the loop statement at `span` begin.
    pub fn fall_into_loop(&mut self, head: BlockId, span: Span) {
        self.loops.insert(head, span);
        self.fall_into(head, span);
    }
    /// Goes on in `block`, after a `terminate`.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }
    pub fn current(&self) -> BlockId {
        self.current
    }
    /// Appends to a block that has a terminator already.
    pub fn append_to(&mut self, block: BlockId, kind: StmtKind, span: Span) {
        self.blocks[block.0 as usize].0.push(Stmt { kind, span });
    }
    pub fn set_terminator(&mut self, block: BlockId, terminator: Terminator, span: Span) {
        self.blocks[block.0 as usize].1 = Some((terminator, span));
    }
    fn label(&mut self, name: &str, span: Span) -> BlockId {
        if let Some(l) = self.labels.get(name) {
            return l.block;
        }
        let block = self.new_block();
        self.labels.insert(name.to_owned(), Label { block, chain: None, cleanups: Vec::new(), used_at: span });
        block
    }
    /// Whether there are jumps to a label that has no place yet.
    pub fn awaits(&self, name: &str) -> bool {
        self.labels.get(name).is_some_and(|label| label.chain.is_none())
    }
    /// The same of any label.
    pub fn awaits_labels(&self) -> bool {
        self.labels.values().any(|label| label.chain.is_none())
    }
    pub fn goto(&mut self, name: &str, chain: Vec<u32>, cleanups: Vec<Cleanup>, span: Span) {
        let to = self.label(name, span);
        let from = self.current;
        self.gotos.push(Goto { from, label: name.to_owned(), chain, cleanups, span });
        self.terminate(Terminator::Goto(to), span);
    }
    pub fn place_label(&mut self, name: &str, chain: Vec<u32>, cleanups: Vec<Cleanup>, span: Span) -> Lowered<()> {
        let block = self.label(name, span);
        let label = self.labels.get_mut(name).expect("made above");
        label.cleanups = cleanups;
        if label.chain.replace(chain).is_some() {
            return LowerError::invalid(span, format!("label `{name}` is defined twice"));
        }
        self.fall_into(block, span);
        Ok(())
    }
    pub fn label_address(&mut self, name: &str, span: Span) -> BlockId {
        let block = self.label(name, span);
        if !self.addressed.contains(&block) {
            self.addressed.push(block);
        }
        block
    }
    /// All computed `goto`s of a function jump from one block, which `target` is read in: jumps from each to each of the labels
    /// would be as many loops inside each other.
    pub fn jump_from(&mut self, target: Expr, span: Span) -> BlockId {
        let block = self.new_block();
        self.blocks[block.0 as usize].1 = Some((Terminator::IndirectGoto { target, labels: Vec::new() }, span));
        block
    }

    /// Settles `goto`s, ends open blocks by falling off the function's end and drops blocks that nothing reaches and that hold nothing.
    /// Returns the blocks and the new numbers of the old ones.
    pub fn finish(mut self, end: Span) -> Lowered<(IndexVec<BlockId, Block>, FxHashMap<BlockId, BlockId>)> {
        self.settle_gotos()?;
        let addressed = std::mem::take(&mut self.addressed);
        for (_, terminator) in &mut self.blocks {
            let (terminator, _) = terminator.get_or_insert((Terminator::Return(None), end));
            if let Terminator::IndirectGoto { labels, .. } = terminator {
                labels.clone_from(&addressed);
            }
        }
        let kept = self.kept_blocks(&addressed);
        let numbers: FxHashMap<BlockId, BlockId> =
            kept.iter().enumerate().map(|(new, old)| (*old, BlockId(new as u32))).collect();
        let mut blocks = IndexVec::new();
        for old in kept {
            let (stmts, terminator) = std::mem::take(&mut self.blocks[old.0 as usize]);
            let (terminator, span) = terminator.expect("every block has ended");
            blocks.push(Block { stmts, terminator, span, keyword: self.loops.get(&old).copied() });
        }
        for block in blocks.iter_mut() {
            renumber(block, &numbers);
        }
        Ok((blocks, numbers))
    }

    /// The cleanups of the variables that each `goto` leaves, with the block that it ends.
    pub fn cleanups_of_gotos(&self) -> Vec<(BlockId, Cleanup, Span)> {
        let mut found = Vec::new();
        for goto in &self.gotos {
            let kept = &self.labels[&goto.label].cleanups;
            let left = goto.cleanups.iter().filter(|c| !kept.contains(c));
            found.extend(left.map(|c| (goto.from, *c, goto.span)));
        }
        found
    }

    fn settle_gotos(&mut self) -> Lowered<()> {
        let mut moves = Vec::new();
        for goto in &self.gotos {
            let label = &self.labels[&goto.label];
            let Some(chain) = &label.chain else {
                return LowerError::invalid(goto.span, format!("label `{}` is not defined", goto.label));
            };
            let locals = |ids: &[u32], others: &[u32]| -> Vec<VarId> {
                let left = ids.iter().filter(|id| !others.contains(id));
                left.filter_map(|id| self.scope_locals.get(id)).flatten().copied().collect()
            };
            moves.push((goto.from, locals(&goto.chain, chain), locals(chain, &goto.chain), goto.span));
        }
        for (from, dead, live, span) in moves {
            for v in dead {
                self.append_to(from, StmtKind::StorageDead(v), span);
            }
            for v in live {
                self.append_to(from, StmtKind::StorageLive(v), span);
            }
        }
        if let Some((name, label)) =
            self.labels.iter().filter(|(_, l)| l.chain.is_none()).min_by_key(|(n, _)| n.as_str())
        {
            return LowerError::invalid(label.used_at, format!("label `{name}` is not defined"));
        }
        Ok(())
    }

    /// Old numbers of the blocks that stay, entry first, in the order of making.
    fn kept_blocks(&self, addressed: &[BlockId]) -> Vec<BlockId> {
        let mut reached = FxHashSet::default();
        let mut work = vec![ENTRY];
        work.extend_from_slice(addressed);
        let roots = (0..self.blocks.len()).filter(|i| !self.blocks[*i].0.is_empty());
        work.extend(roots.map(|i| BlockId(i as u32)));
        while let Some(b) = work.pop() {
            if reached.insert(b) {
                let terminator = self.blocks[b.0 as usize].1.as_ref();
                work.extend(terminator.map(|(t, _)| t.successors()).unwrap_or_default());
            }
        }
        let mut kept: Vec<BlockId> = reached.into_iter().collect();
        kept.sort_unstable();
        kept
    }
}

fn renumber(block: &mut Block, numbers: &FxHashMap<BlockId, BlockId>) {
    let fix = |b: &mut BlockId| *b = numbers[b];
    match &mut block.terminator {
        Terminator::Goto(b) => fix(b),
        Terminator::Branch { then_to, else_to, .. } => {
            fix(then_to);
            fix(else_to);
        }
        Terminator::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|c| fix(&mut c.target));
            fix(default);
        }
        Terminator::IndirectGoto { labels, .. } => labels.iter_mut().for_each(fix),
        Terminator::Return(_) | Terminator::Exit(_) | Terminator::Unreachable => {}
    }
    super::visit::expressions_mut(block, &mut |e| {
        if let ExprKind::LabelAddr(b) = &mut e.kind {
            fix(b);
        }
    });
}
