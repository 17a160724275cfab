//! Where the program ends: the blocks that are alive there.

use super::automaton::NodeId;
use super::encoder::Encoder;
use super::log::{Log, Origin};
use super::state::{Object, ObjectId, State};
use super::value::{BASE_BITS, Value};
use crate::ir::{Callee, CheckKind, ConstantBytes, StmtKind, Terminator};
use crate::smt::Term;

/// How the program ends.
#[derive(Clone, Copy)]
enum End<'p> {
    /// The entry function returns: its variables are gone.
    Return,
    /// By `exit`, `abort` and their kin, or a failed assertion: variables of active functions are left.
    Stop,
    /// In this function, which no run goes through.
    Within(&'p str),
}

impl Encoder<'_, '_> {
    /// Notes what may be wrong with `state`, in which the program ends behind `node`.
    pub(super) fn end_behind(&mut self, state: &State, node: NodeId) {
        let program = self.program;
        let node = &self.automaton.nodes[node];
        let block = &program.functions[node.function].blocks[node.block];
        let end = match &block.terminator {
            Terminator::Exit(_) => End::Stop,
            Terminator::Unreachable => End::Within(match block.stmts[node.from..node.to].last().map(|s| &s.kind) {
                Some(StmtKind::Call { callee: Callee::Direct(f), .. }) => &program.functions[*f].name,
                _ => "code that is said not to be reached",
            }),
            _ => End::Return,
        };
        self.end(state, end);
    }

    /// The same where a check of one of these kinds fails that nobody asked for: what ends the program, and is no undefined behaviour.
    pub(super) fn end_at_failure(&mut self, state: &State, fails: Term, kinds: &[CheckKind]) {
        let end = match kinds {
            [CheckKind::Assertion] => End::Stop,
            [CheckKind::UnreachCall] => End::Within("an error function"),
            _ => return,
        };
        let mut failed = state.clone();
        self.assume(&mut failed, fails);
        self.end(&failed, end);
    }

    /// What a call of the library function does to blocks besides what is encoded: the program may end, a new block may be there.
    pub(super) fn affect_blocks(&mut self, state: &mut State, name: &str) {
        if !self.ends_clean {
            return;
        }
        let contracts = &self.program.contracts;
        if contracts.may_end(name) {
            self.end(state, End::Within(name));
        }
        if contracts.allocates_unseen(name) {
            let object = Object {
                size: self.address(0),
                live: self.pool.bool(true),
                heap: true,
                owner: None,
                constant: ConstantBytes::None,
                content: Log::new(Origin::Noise),
            };
            let base = self.create(state, object);
            self.unseen.extend(self.object_number(base).map(|id| (id, name.to_owned())));
        }
    }

    /// Nothing can be said of blocks that are not freed but what a run shows.
    fn end(&mut self, state: &State, end: End<'_>) {
        if !self.ends_clean || self.is_dead(state) {
            return;
        }
        let blocks: Vec<(ObjectId, Term)> =
            state.objects.iter().filter(|(_, o)| o.heap).map(|(id, o)| (*id, o.live)).collect();
        if self.seeks_lost {
            self.note_lost(state, &blocks, end);
        }
        let place = match end {
            End::Return | End::Stop => "at the end".to_owned(),
            End::Within(name) => format!("where the program may end in {name}"),
        };
        let mut rest = state.clone();
        for (id, live) in &blocks {
            if let Some(name) = self.unseen.get(id).cloned() {
                self.gap(&mut rest, *live, format!("a block that '{name}' may allocate may not be freed {place}"));
            }
        }
        let alive: Vec<Term> = blocks.iter().map(|(_, live)| *live).collect();
        let some = self.pool.or(&alive);
        self.gap(&mut rest, some, format!("a block may not be freed {place}"));
    }

    /// Notes for each block when it may be lost at an end that runs come to.
    fn note_lost(&mut self, state: &State, blocks: &[(ObjectId, Term)], end: End<'_>) {
        if matches!(end, End::Within(_)) {
            return;
        }
        let path = self.path(state);
        for (id, live) in blocks {
            if self.unseen.contains_key(id) {
                continue;
            }
            let unheld = self.is_unheld(state, matches!(end, End::Stop), *id);
            let lost = self.pool.and(&[path, *live, unheld]);
            if !self.is_false(lost) {
                self.may_be_lost.push(lost);
            }
        }
    }

    /// When no scalar that is left at the end points to the object. What it is stored in besides is not looked at.
    fn is_unheld(&mut self, state: &State, frames_stay: bool, id: ObjectId) -> Term {
        let number = self.pool.bv(BASE_BITS, u128::from(id.0));
        let mut all = Vec::new();
        for (cell, value) in state.scalars.iter() {
            let stays = frames_stay || self.program.variables[cell.variable].is_static();
            if let Value::Pointer { base, .. } = value
                && stays
            {
                all.push(self.pool.ne(*base, number));
            }
        }
        self.pool.and(&all)
    }
}
