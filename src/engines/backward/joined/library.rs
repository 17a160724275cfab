//! Library functions backwards, by their contracts.

use super::engine::{Joined, number};
use super::resolve::Resolved;
use super::scan::Sought;
use super::text::classes;
use crate::concrete::classify;
use crate::domains::cell::CellExpr;
use crate::domains::cell_set::CellStates;
use crate::domains::{Int, IntType, Value};
use crate::ir::{BinaryOp, Expr, LibFn, Place};

impl Joined<'_> {
    /// States from which a library function leads into `post` alone.
    pub(super) fn library(
        &mut self,
        function: LibFn,
        dest: Option<&Place>,
        args: &[Expr],
        post: &CellStates,
    ) -> CellStates {
        use LibFn::*;
        match (function, dest) {
            (MemCopy, _) => self.copy_bytes(&args[0], &args[1], &args[2], post),
            (MemSet, _) => self.set_bytes(&args[0], &args[1], &args[2], 1, post),
            (WMemSet, _) => self.set_bytes(&args[0], &args[1], &args[2], 4, post),
            (FormatWrite(size), _) => self.write_format(size, args, post),
            (_, Some(dest)) if dest.bits.is_none() && self.is_touched(dest, post) => {
                self.result(function, dest, args, post)
            }
            _ => self.unknown(function, dest, args, post),
        }
    }

    /// A function whose result a state speaks of.
    fn result(&mut self, function: LibFn, dest: &Place, args: &[Expr], post: &CellStates) -> CellStates {
        use LibFn::*;
        match function {
            StrLen(size) => self.length(dest, &args[0], size, None, post),
            StrNLen(size) => self.length(dest, &args[0], size, Some(&args[1]), post),
            StrCmp(size) => self.comparison(dest, (&args[0], &args[1]), size, (true, None), post),
            StrNCmp(size) => self.comparison(dest, (&args[0], &args[1]), size, (true, Some(&args[2])), post),
            MemCmp(size) => self.comparison(dest, (&args[0], &args[1]), size, (false, Some(&args[2])), post),
            StrChr(size) => self.character(dest, (&args[0], &args[1]), size, Sought::First, post),
            StrRChr(size) => self.character(dest, (&args[0], &args[1]), size, Sought::Last, post),
            MemChr(size) => self.character(dest, (&args[0], &args[1]), size, Sought::Among(&args[2]), post),
            MemSearched(size) => self.searched(dest, (&args[0], &args[1], &args[2]), size, post),
            FormatLength(size) => self.format_length(dest, size, args, post),
            Atoi => self.decimal(dest, &args[0], None, post),
            StrToInt => self.decimal(dest, &args[0], args.get(1), post),
            Abs => {
                let values: Vec<Resolved> =
                    self.expr(&args[0]).iter().flat_map(|e| self.absolute(e, &args[0])).collect();
                self.one_of(dest, &values, post)
            }
            IsAlpha | IsDigit | IsAlnum | IsSpace | IsUpper | IsLower | IsPunct | IsPrint | IsGraph | IsCntrl
            | IsXDigit | IsBlank => {
                let of = |c| classify(function, c);
                let values: Vec<Resolved> = self.expr(&args[0]).iter().flat_map(|e| classes(-1, 255, of, e)).collect();
                self.one_of(dest, &values, post)
            }
            ToUpper | ToLower => {
                let values: Vec<Resolved> = self.expr(&args[0]).iter().flat_map(|e| self.cased(function, e)).collect();
                self.one_of(dest, &values, post)
            }
            _ => self.unknown(function, Some(dest), args, post),
        }
    }

    /// The result is anything, and so is what is written.
    fn unknown(&mut self, function: LibFn, dest: Option<&Place>, args: &[Expr], post: &CellStates) -> CellStates {
        let post = match dest {
            Some(dest) => self.havoc(dest, post),
            None => post.clone(),
        };
        match function.effects().writes {
            Some(i) => self.spoil(&args[i], &post),
            None => post,
        }
    }

    /// A number without its sign: as it is, or taken from 0. The least has none.
    fn absolute(&self, e: &Resolved, arg: &Expr) -> Vec<Resolved> {
        let Some(ty) = self.cell_type(arg.ty).and_then(|t| t.int()) else { return Vec::new() };
        let when = |lo, hi| [(e.e.clone(), Value::int(Int::range(lo, hi)))];
        let negated = CellExpr::Binary(BinaryOp::Sub, Box::new(number(0)), Box::new(e.e.clone()), ty);
        let bounds = ty.bounds();
        let mut all = vec![e.clone().also(&when(0, bounds.hi), &[])];
        if ty.signed {
            all.push(Resolved { e: negated, ..e.clone() }.also(&when(bounds.lo + 1, -1), &[]));
        }
        all
    }

    /// A character with its case changed, or as it is.
    fn cased(&self, function: LibFn, e: &Resolved) -> Vec<Resolved> {
        let shifts = classes(-1, 255, |c| classify(function, c) - c, e);
        let ty = IntType::signed(32);
        let shifted = |shift: Resolved| {
            let by = Box::new(shift.e.clone());
            Resolved { e: CellExpr::Binary(BinaryOp::Add, Box::new(e.e.clone()), by, ty), ..shift }
        };
        shifts.into_iter().map(shifted).collect()
    }
}
