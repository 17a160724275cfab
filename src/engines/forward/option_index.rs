//! What `getopt` leaves behind, which the rules of `rules/effects/options.dl` vouch for: what its scan of the arguments keeps is no matter of ranges.

use super::analyzer::{Analyzer, Flow};
use crate::domains::BaseId;
use crate::ir::{BinaryOp, Expr, FuncId, Place, VarId};

/// A call of `getopt` or one of its kin that scans all arguments of `main`.
pub(super) struct Scan<'e> {
    index: VarId,
    count: &'e Expr,
    /// The arrays of arguments that have no NULL but the last element.
    lists: Vec<BaseId>,
}

impl Analyzer<'_, '_> {
    /// A call that is about to be made, where it is such a scan.
    pub(super) fn scan_of<'e>(&self, flow: &Flow, functions: &[FuncId], args: &'e [Expr]) -> Option<Scan<'e>> {
        let (&[function], [count, words, ..]) = (functions, args) else { return None };
        let index = self.memory.option_index(function)?;
        let value = self.view(flow).eval(words);
        let is_list =
            |b: &BaseId| flow.state.object(&self.bases, *b).is_some_and(|o| o.zeros.last && o.zeros.ends_list);
        Some(Scan { index, count, lists: value.pointers.targets().iter().map(|t| t.0).filter(is_list).collect() })
    }

    /// Behind it the index is at least 1 and at most the number of arguments, or 1 where that is 0; and arguments have changed their places, but
    /// not with the NULL behind them. False if nothing is left.
    pub(super) fn learn_scan(&self, flow: &mut Flow, scan: Scan<'_>) -> bool {
        for list in scan.lists {
            flow.state.learn(&self.bases, list, |o| (o.zeros.last, o.zeros.ends_list) = (true, true));
        }
        let ty = self.program.variables[scan.index].ty;
        let (at, one) = (Expr::load(Place::var(scan.index, ty)), Expr::int(1, ty));
        let some = self.view(flow).eval(scan.count).int.is_some_and(|n| n.lo() >= 1);
        let mut refiner = self.refiner(flow);
        let from_one = Expr::binary(BinaryOp::Ge, at.clone(), one.clone(), ty);
        let most = if some { at } else { Expr::binary(BinaryOp::Sub, at, one, ty) };
        let upto = Expr::binary(BinaryOp::Le, most, scan.count.clone(), ty);
        refiner.assume(&from_one, true) && refiner.assume(&upto, true)
    }
}
