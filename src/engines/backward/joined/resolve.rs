//! Expressions of the program as expressions over cells: dereferences become the cells that may be accessed, by the pointers
//! of the forward analysis, each with what has to hold of the pointer.
//!
//! See: 000, Sect. 2.3 (`resolve`, `deref`) and 2.6: pointers are resolved with what is before, never with what comes after.

use super::engine::{Joined, number};
use crate::domains::cell::{Cell, CellExpr, CellType};
use crate::domains::{BaseId, Int, IntType, Pointers, Value};
use crate::ir::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Type, TypeId, UnaryOp};

/// Ways in which an expression or a place may be resolved; with more it may be anything.
const MOST: usize = 24;

/// What has to hold, all together.
pub type Goals = Vec<(CellExpr, Value)>;

/// One way to resolve an expression.
#[derive(Clone, Debug)]
pub struct Resolved {
    pub e: CellExpr,
    /// What has to hold for it to be this way.
    pub when: Goals,
    /// What cells hold in all executions that come here.
    pub known: Vec<(Cell, Value)>,
}

/// One object that a place may be in.
#[derive(Clone, Debug)]
pub struct Target {
    pub base: BaseId,
    pub offset: u64,
    pub when: Goals,
    pub known: Vec<(Cell, Value)>,
}

impl From<CellExpr> for Resolved {
    fn from(e: CellExpr) -> Resolved {
        Resolved { e, when: Vec::new(), known: Vec::new() }
    }
}

impl Resolved {
    fn with(self, f: impl FnOnce(CellExpr) -> CellExpr) -> Resolved {
        Resolved { e: f(self.e), ..self }
    }
    /// The same, if this holds too.
    pub(super) fn also(mut self, when: &[(CellExpr, Value)], known: &[(Cell, Value)]) -> Resolved {
        self.when.extend_from_slice(when);
        self.known.extend_from_slice(known);
        self
    }
}

impl Joined<'_> {
    /// The cell that holds a scalar type; None for floats and aggregates.
    pub(super) fn cell_type(&self, ty: TypeId) -> Option<CellType> {
        let types = &self.program.types;
        let bytes = types.size_of(ty).and_then(|n| u8::try_from(n).ok())?;
        match types.get(ty) {
            Type::Int(kind) if bytes <= 8 => Some(CellType::Int { bytes, signed: kind.signed() }),
            Type::Pointer(_) => Some(CellType::Pointer { bytes }),
            _ => None,
        }
    }
    fn int_type(&self, ty: TypeId) -> Option<IntType> {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Int(kind) => Some(IntType::of(types, *kind)).filter(|t| t.bits <= 64),
            Type::Pointer(_) => Some(IntType::unsigned(64)),
            _ => None,
        }
    }
    fn anything(&self, ty: TypeId) -> CellExpr {
        CellExpr::Any(self.cell_type(ty).unwrap_or(CellType::Int { bytes: 8, signed: true }))
    }

    /// All ways in which an expression may be resolved; none when no execution comes here.
    pub(super) fn expr(&self, e: &Expr) -> Vec<Resolved> {
        let Some(ty) = self.int_type(e.ty) else { return vec![self.anything(e.ty).into()] };
        let all = match &e.kind {
            ExprKind::Int(n) => vec![number(ty.wrap_number(*n)).into()],
            ExprKind::AddrOf(v, offset) => vec![CellExpr::Address(self.variable(*v), (*offset).into()).into()],
            ExprKind::FuncAddr(f) => vec![CellExpr::Function(*f).into()],
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(op, a) => self.each(a, |a| match op {
                UnaryOp::Neg => CellExpr::Binary(BinaryOp::Sub, Box::new(number(0)), Box::new(a), ty),
                UnaryOp::BitNot => {
                    let ones = number(ty.wrap_number(-1));
                    CellExpr::Binary(BinaryOp::Xor, Box::new(a), Box::new(ones), ty)
                }
            }),
            ExprKind::Binary(op, a, b) if self.int_type(a.ty).is_some() && self.int_type(b.ty).is_some() => {
                self.pairs(a, b, |a, b| CellExpr::Binary(*op, Box::new(a), Box::new(b), ty))
            }
            ExprKind::Cast(a) if self.int_type(a.ty).is_some() => self.each(a, |a| CellExpr::Convert(Box::new(a), ty)),
            ExprKind::PtrAdd(p, n) => self.pairs(p, n, |p, n| CellExpr::Move(Box::new(p), Box::new(n))),
            ExprKind::PtrDiff(p, q) => {
                let ty = IntType::signed(64);
                self.pairs(p, q, |p, q| CellExpr::Binary(BinaryOp::Sub, Box::new(p), Box::new(q), ty))
            }
            ExprKind::Float(_) | ExprKind::LabelAddr(_) | ExprKind::Binary(..) | ExprKind::Cast(_) => {
                vec![self.anything(e.ty).into()]
            }
        };
        if all.len() > MOST { vec![self.anything(e.ty).into()] } else { all }
    }
    fn each(&self, a: &Expr, f: impl Fn(CellExpr) -> CellExpr) -> Vec<Resolved> {
        self.expr(a).into_iter().map(|r| r.with(&f)).collect()
    }
    /// Both operands in every combination.
    pub(super) fn pairs(&self, a: &Expr, b: &Expr, f: impl Fn(CellExpr, CellExpr) -> CellExpr) -> Vec<Resolved> {
        let (left, right) = (self.expr(a), self.expr(b));
        let mut all = Vec::new();
        for l in &left {
            for r in &right {
                let join = |x: &[(CellExpr, Value)], y: &[(CellExpr, Value)]| x.iter().chain(y).cloned().collect();
                all.push(Resolved {
                    e: f(l.e.clone(), r.e.clone()),
                    when: join(&l.when, &r.when),
                    known: l.known.iter().chain(&r.known).cloned().collect(),
                });
            }
        }
        all
    }

    /// What a place holds.
    fn load(&self, place: &Place) -> Vec<Resolved> {
        let Some(ty) = self.cell_type(place.ty) else { return vec![self.anything(place.ty).into()] };
        let Some(targets) = self.targets(place) else { return vec![CellExpr::Any(ty).into()] };
        let value = self.forward.noted.value(place);
        let mut all = Vec::new();
        for target in targets {
            let cell = Cell { base: target.base, offset: target.offset, ty };
            let Some(bits) = place.bits else {
                let mut known = target.known;
                known.extend(value.filter(|v| !v.undefined && v.float.is_none()).map(|v| (cell, v.clone())));
                all.push(Resolved { e: CellExpr::Cell(cell), when: target.when, known });
                continue;
            };
            let (CellType::Int { signed, .. }, Some(unit)) = (ty, ty.int()) else { continue };
            let unsigned = IntType::unsigned(unit.bits);
            let whole = CellExpr::Convert(Box::new(CellExpr::Cell(cell)), unsigned);
            let moved = CellExpr::with_number(BinaryOp::Shr, whole, bits.offset.into(), unsigned);
            let field = IntType { bits: u32::from(bits.width.max(1)), signed, boolean: false };
            let e = CellExpr::Convert(Box::new(moved), field);
            all.push(Resolved { e, when: target.when, known: target.known });
        }
        all
    }

    /// The objects that a place may start in, with offsets; none when no execution comes here, None when they are too many.
    pub(super) fn targets(&self, place: &Place) -> Option<Vec<Target>> {
        let pointer = match &place.base {
            PlaceBase::Var(v) => {
                let target = |offset| Target { base: self.variable(*v), offset, when: Vec::new(), known: Vec::new() };
                return Some(u64::try_from(place.offset).ok().map(target).into_iter().collect());
            }
            PlaceBase::Deref(pointer) => pointer,
        };
        let Some(address) = self.forward.noted.address(place) else { return Some(Vec::new()) };
        if address.is_any() {
            return None;
        }
        let all = spots(address)?;
        if let [(base, offset)] = all[..] {
            return Some(vec![Target { base, offset, when: Vec::new(), known: Vec::new() }]);
        }
        let ways = self.each(pointer, |p| CellExpr::Move(Box::new(p), Box::new(number(place.offset.into()))));
        self.located(&all, ways)
    }
    /// The same of what a pointer points to, whose access has passed its check.
    pub(super) fn spots(&self, pointer: &Expr) -> Option<Vec<Target>> {
        let Some(value) = self.forward.noted.value(pointer) else { return Some(Vec::new()) };
        if value.pointers.is_any() {
            return None;
        }
        let all = spots(&value.pointers)?;
        let alone = value.int.is_none() && value.float.is_none() && !value.undefined;
        if let ([(base, offset)], true) = (&all[..], alone) {
            return Some(vec![Target { base: *base, offset: *offset, when: Vec::new(), known: Vec::new() }]);
        }
        self.located(&all, self.expr(pointer))
    }
    /// Each of these places, when the pointer is its address.
    fn located(&self, all: &[(BaseId, u64)], ways: Vec<Resolved>) -> Option<Vec<Target>> {
        if all.len() * ways.len() > MOST {
            return None;
        }
        let mut targets = Vec::new();
        for way in ways {
            for &(base, offset) in all {
                let there = Value::pointers(Pointers::to(base, Int::constant(offset.into())));
                let mut when = way.when.clone();
                when.push((way.e.clone(), there));
                targets.push(Target { base, offset, when, known: way.known.clone() });
            }
        }
        Some(targets)
    }

    /// Whether `address` is any address of more than a few, and the cells of a state that it may be the address of.
    pub(super) fn may_touch(address: Option<&Pointers>, cell: &Cell, bytes: u64) -> bool {
        let Some(address) = address else { return false };
        if address.is_any() {
            return Joined::is_content(cell);
        }
        let (from, to) = (i128::from(cell.offset), i128::from(cell.offset + cell.ty.bytes()));
        address.offset(cell.base).is_some_and(|o| o.lo() < to && from < o.hi().saturating_add(bytes.into()))
    }
}

/// No object has so many bytes.
const FARTHEST: i128 = 1 << 48;

/// The places in objects that pointers point to; None when they are too many. Accesses outside of an object fail their check.
fn spots(pointers: &Pointers) -> Option<Vec<(BaseId, u64)>> {
    let mut all = Vec::new();
    for (base, offsets) in pointers.targets() {
        let Some(offsets) = offsets.clamp(0, FARTHEST) else { continue };
        all.extend(offsets.members(MOST)?.into_iter().filter_map(|o| Some((*base, u64::try_from(o).ok()?))));
    }
    Some(all)
}
