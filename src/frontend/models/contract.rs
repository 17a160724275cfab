//! The vocabulary of models: arguments, their checks, inputs, allocations, results.

use crate::base::Span;
use crate::frontend::lower::{AccessSites, LowerError, Lowered, Lowerer};
use crate::ir::program::Excluded;
use crate::ir::{
    AccessMode, AllocKind, BinaryOp, BlockId, Check, CheckKind, Expr, ExprKind, IntKind, LibFn, Place, StmtKind,
    Terminator, TypeId,
};

/// A call of a library function.
#[derive(Clone)]
pub(crate) struct LibraryCall<'c> {
    pub name: &'c str,
    /// Converted to the declared parameters' types, or promoted.
    pub args: Vec<Expr>,
    /// C spellings of the arguments, for messages.
    pub texts: Vec<String>,
    /// The declared result type, if the function is declared.
    pub result: Option<TypeId>,
    /// Whether the result is used.
    pub wanted: bool,
    pub span: Span,
}

impl LibraryCall<'_> {
    /// The argument with this number.
    pub fn arg(&self, i: usize) -> Lowered<Expr> {
        match self.args.get(i) {
            Some(e) => Ok(e.clone()),
            None => LowerError::invalid(self.span, format!("too few arguments for `{}`", self.name)),
        }
    }
    /// `name: text` of an argument.
    pub fn subject(&self, i: usize) -> String {
        format!("{}({})", self.name, self.texts.get(i).map_or("", String::as_str))
    }
    /// The declared result type, or `otherwise`.
    pub fn result_or(&self, otherwise: TypeId) -> TypeId {
        self.result.unwrap_or(otherwise)
    }
}

impl Lowerer<'_> {
    /// The argument, evaluated once and before any effect of the call.
    pub(super) fn pinned_arg(&mut self, c: &LibraryCall<'_>, i: usize) -> Lowered<Expr> {
        let e = c.arg(i)?;
        let e = self.union_member(e);
        self.hold(e, c.span)
    }
    /// The first member of a transparent union's value (`struct sockaddr *` of what `accept` takes), else the value.
    fn union_member(&self, e: Expr) -> Expr {
        let ExprKind::Load(place) = &e.kind else { return e };
        let first = self.program.types.layout(e.ty).and_then(|l| l.fields.first());
        match first.filter(|f| self.program.types.is_pointer(f.ty)) {
            Some(field) => Expr::load(Place { ty: field.ty, ..(**place).clone() }),
            None => e,
        }
    }
    /// The argument as `ty`, evaluated once.
    pub(super) fn arg_as(&mut self, c: &LibraryCall<'_>, i: usize, ty: TypeId) -> Lowered<Expr> {
        let e = c.arg(i)?;
        let e = self.convert(e, ty, c.span)?;
        self.hold(e, c.span)
    }
    /// Makes a pointer of argument `i`, which a format takes for one: an integer is the address that it spells; another number, or an
    /// argument that is not there, leads to no object (C11 7.21.6.1p9).
    pub(super) fn take_for_pointer(&mut self, c: &mut LibraryCall<'_>, i: usize, pointee: TypeId) {
        let ty = self.program.types.pointer(pointee);
        let types = &self.program.types;
        let nothing = Expr::int(0, ty);
        c.args.resize(c.args.len().max(i + 1), nothing.clone());
        let given = &mut c.args[i];
        if types.as_int(given.ty).is_some() {
            *given = given.clone().cast(ty);
        } else if !types.is_pointer(given.ty) {
            *given = nothing;
        }
    }
    /// The argument as `size_t`.
    pub(super) fn size_arg(&mut self, c: &LibraryCall<'_>, i: usize) -> Lowered<Expr> {
        self.arg_as(c, i, self.size_type())
    }
    /// The argument as `void *`.
    pub(super) fn ptr_arg(&mut self, c: &LibraryCall<'_>, i: usize) -> Lowered<Expr> {
        self.arg_as(c, i, self.program.types.void_ptr())
    }
    pub(super) fn void(&self) -> Expr {
        Expr { kind: ExprKind::Int(0), ty: self.program.types.void() }
    }
    /// Integer arithmetic in `size_t`.
    pub(super) fn size_op(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.folded(op, a, b, self.size_type())
    }
    /// `count` characters of `char_size` bytes, in bytes.
    pub(super) fn scaled(&self, count: Expr, char_size: u8) -> Expr {
        if char_size == 1 { count } else { self.size_op(BinaryOp::Mul, count, self.size_const(u64::from(char_size))) }
    }
    /// `ptr + bytes`.
    pub(super) fn advanced(&self, ptr: Expr, bytes: Expr) -> Expr {
        let ty = ptr.ty;
        self.moved(ptr, bytes, ty)
    }

    pub(super) fn check_read(&mut self, c: &LibraryCall<'_>, i: usize, ptr: Expr, size: Expr) -> Lowered<()> {
        self.check_access(ptr, size, AccessMode::Read, &c.subject(i), c.span)
    }
    pub(super) fn check_write(&mut self, c: &LibraryCall<'_>, i: usize, ptr: Expr, size: Expr) -> Lowered<()> {
        self.check_access(ptr, size, AccessMode::Write, &c.subject(i), c.span)
    }
    /// The argument is a zero-terminated string, or has at least `max` characters. Literals need no check.
    pub(super) fn check_string(
        &mut self,
        c: &LibraryCall<'_>,
        i: usize,
        ptr: Expr,
        char_size: u8,
        max: Option<Expr>,
    ) -> Lowered<()> {
        self.check_characters(c, i, ptr, char_size, max, false)
    }
    /// Argument `i` is a zero-terminated string of single bytes.
    pub(super) fn check_text(&mut self, c: &LibraryCall<'_>, i: usize) -> Lowered<()> {
        let s = self.pinned_arg(c, i)?;
        self.check_string(c, i, s, 1, None)
    }
    /// The same, or NULL.
    pub(super) fn check_text_if_given(&mut self, c: &LibraryCall<'_>, i: usize) -> Lowered<()> {
        self.when_given(c, i, |l| l.check_text(c, i))
    }
    /// The same as `check_string` for a string of which the function reads all characters: they are determinate, too.
    pub(super) fn check_whole_string(
        &mut self,
        c: &LibraryCall<'_>,
        i: usize,
        ptr: Expr,
        char_size: u8,
        max: Option<Expr>,
    ) -> Lowered<()> {
        self.check_characters(c, i, ptr, char_size, max, true)
    }
    fn check_characters(
        &mut self,
        c: &LibraryCall<'_>,
        i: usize,
        ptr: Expr,
        char_size: u8,
        max: Option<Expr>,
        whole: bool,
    ) -> Lowered<()> {
        if self.literal_text(&ptr).is_some() {
            return Ok(());
        }
        let AccessSites { null, dangling, bounds } = self.access_sites(&ptr, AccessMode::Read, &c.subject(i), c.span);
        let uninit = whole.then(|| self.site(CheckKind::UninitRead, c.subject(i), c.span));
        let check = Check::Terminated { ptr, char_size, max, null, dangling, uninit, bounds };
        self.emit(StmtKind::Check(Box::new(check)), c.span)
    }

    /// The characters of a narrow string literal that `ptr` is the start of (or lies in), without the terminator.
    pub(super) fn literal_text(&self, ptr: &Expr) -> Option<Vec<u8>> {
        match &ptr.kind {
            ExprKind::AddrOf(v, offset) => {
                let rest = self.program.literal(*v)?.get(usize::try_from(*offset).ok()?..)?;
                let end = rest.iter().position(|b| *b == 0)?;
                Some(rest[..end].to_vec())
            }
            ExprKind::Cast(inner) => self.literal_text(inner),
            _ => None,
        }
    }
    /// The same for wide literals, as far as their characters are ASCII.
    pub(super) fn wide_literal_text(&self, ptr: &Expr) -> Option<Vec<u8>> {
        let ExprKind::AddrOf(v, 0) = &ptr.kind else { return None };
        let units = self.program.literal(*v)?.chunks_exact(4).map(|u| u32::from_le_bytes([u[0], u[1], u[2], u[3]]));
        units.take_while(|u| *u != 0).map(|u| u8::try_from(u).ok().filter(u8::is_ascii)).collect()
    }

    /// The value of a library function of type `ty`.
    pub(super) fn lib_value(&mut self, function: LibFn, ty: TypeId, args: Vec<Expr>, span: Span) -> Lowered<Expr> {
        let dest = Place::var(self.temp(ty, span)?, ty);
        self.emit(StmtKind::Lib { function, dest: Some(dest.clone()), args }, span)?;
        Ok(Expr::load(dest))
    }
    /// A library function for its effect.
    pub(super) fn lib_effect(&mut self, function: LibFn, args: Vec<Expr>, span: Span) -> Lowered<()> {
        self.emit(StmtKind::Lib { function, dest: None, args }, span)
    }
    /// An input of type `ty` in `[low, high]`, or anything.
    pub(super) fn input_value(
        &mut self,
        name: &str,
        ty: TypeId,
        range: Option<(i128, i128)>,
        span: Span,
    ) -> Lowered<Expr> {
        let range = range.map(|(low, high)| (Expr::int(low, ty), Expr::int(high, ty)));
        self.input_between(name, ty, range, span)
    }
    /// The same with computed bounds.
    pub(super) fn input_between(
        &mut self,
        name: &str,
        ty: TypeId,
        range: Option<(Expr, Expr)>,
        span: Span,
    ) -> Lowered<Expr> {
        self.number_of(name, ty, range, false, span)
    }
    /// A value in `[low, high]`, or anything, that stands for a computation which no contract describes.
    pub(in crate::frontend) fn approximate_value(
        &mut self,
        name: &str,
        ty: TypeId,
        range: Option<(Expr, Expr)>,
        span: Span,
    ) -> Lowered<Expr> {
        self.number_of(name, ty, range, true, span)
    }
    /// A value in the range, or anything: what the environment chooses, or a computation where no contract describes it.
    pub(super) fn number_of(
        &mut self,
        name: &str,
        ty: TypeId,
        range: Option<(Expr, Expr)>,
        computed: bool,
        span: Span,
    ) -> Lowered<Expr> {
        let input = if computed { self.approximate_input(name, span) } else { self.input(name, span) };
        let dest = Place::var(self.temp(ty, span)?, ty);
        self.emit(StmtKind::Input { input, dest: dest.clone(), range }, span)?;
        Ok(Expr::load(dest))
    }
    /// The bounds as far as the integer type has them.
    pub(super) fn within(&self, ty: TypeId, (least, most): (i128, i128)) -> (Expr, Expr) {
        let (low, high) = self.program.types.as_int(ty).map_or((0, 0), |kind| self.program.types.int_range(kind));
        (Expr::int(least.clamp(low, high), ty), Expr::int(most.clamp(low, high), ty))
    }
    /// `len` such bytes at `ptr`; checks stand before.
    pub(super) fn approximate_bytes(&mut self, name: &str, ptr: Expr, len: Expr, span: Span) -> Lowered<()> {
        let input = self.approximate_input(name, span);
        self.emit(StmtKind::InputBytes { input, ptr, len }, span)
    }
    /// Whether something happens that no contract decides.
    pub(super) fn perhaps(&mut self, name: &str, span: Span) -> Lowered<Expr> {
        self.yes_or_no(name, true, span)
    }
    /// Whether something happens that the environment decides.
    pub(super) fn either(&mut self, name: &str, span: Span) -> Lowered<Expr> {
        self.yes_or_no(name, false, span)
    }
    fn yes_or_no(&mut self, name: &str, computed: bool, span: Span) -> Lowered<Expr> {
        let (int, no, yes) = (self.int_type(), self.int_const(0), self.int_const(1));
        let value = self.number_of(name, int, Some((no.clone(), yes)), computed, span)?;
        Ok(self.compared(BinaryOp::Ne, value, no))
    }
    /// Writes a zero character at `ptr`; checks stand before.
    pub(super) fn terminate_text(&mut self, ptr: Expr, char_size: u8, span: Span) -> Lowered<()> {
        let (zero, len) = (self.int_const(0), self.size_const(u64::from(char_size)));
        self.lib_effect(LibFn::MemSet, vec![ptr, zero, len], span)
    }
    /// Writes the zero at `end` of the string that starts at `text`, all of whose characters are set; checks stand before.
    pub(super) fn end_text(&mut self, text: Expr, end: Expr, char_size: u8, span: Span) -> Lowered<()> {
        let (zero, len) = (self.int_const(0), self.size_const(u64::from(char_size)));
        let text = (char_size == 1).then_some(text);
        self.lib_effect(LibFn::MemSet, [end, zero, len].into_iter().chain(text).collect(), span)
    }
    /// `len` characters that nobody knows at `ptr`, and a zero; checks stand before.
    pub(super) fn approximate_text(&mut self, name: &str, ptr: Expr, len: Expr, span: Span) -> Lowered<()> {
        self.approximate_bytes(name, ptr.clone(), len.clone(), span)?;
        let end = self.advanced(ptr.clone(), len);
        self.end_text(ptr, end, 1, span)
    }
    /// A new zero-terminated text of 0 to `most` characters, or NULL when `fails`.
    pub(super) fn new_text(
        &mut self,
        c: &LibraryCall<'_>,
        kind: AllocKind,
        most: u64,
        fails: bool,
        ty: TypeId,
    ) -> Lowered<Expr> {
        let (size, name) = (self.size_type(), format!("{}()", c.name));
        let range = Some((self.size_const(0), self.size_const(most)));
        let len = self.approximate_value(&format!("{name} length"), size, range, c.span)?;
        let all = self.size_op(BinaryOp::Add, len.clone(), self.size_const(1));
        let block = self.allocate(c, kind, all, true, fails, ty)?;
        let got = self.is_not_null(&block);
        self.when(got, c.span, |l| l.approximate_text(&format!("{name} text"), block.clone(), len, c.span))?;
        Ok(block)
    }
    /// `len` input bytes at `ptr`; checks stand before.
    pub(super) fn input_bytes(&mut self, name: &str, ptr: Expr, len: Expr, span: Span) -> Lowered<()> {
        self.input_bytes_without(Excluded::default(), name, ptr, len, span)
    }
    /// The same, but not all bytes can be.
    pub(super) fn input_bytes_without(
        &mut self,
        excluded: Excluded,
        name: &str,
        ptr: Expr,
        len: Expr,
        span: Span,
    ) -> Lowered<()> {
        let input = self.input(name, span);
        self.program.inputs[input].excluded = excluded;
        self.emit(StmtKind::InputBytes { input, ptr, len }, span)
    }
    /// A new block of `size` bytes; `fails` adds the input that makes it NULL.
    pub(super) fn allocate(
        &mut self,
        c: &LibraryCall<'_>,
        kind: AllocKind,
        size: Expr,
        zeroed: bool,
        fails: bool,
        ty: TypeId,
    ) -> Lowered<Expr> {
        let failing = format!("{}() fails", c.name);
        let fails = fails.then(|| match c.name {
            // Only for years that the result has no room for.
            "gmtime" | "localtime" | "asctime" | "ctime" => self.approximate_input(failing, c.span),
            _ => self.input(failing, c.span),
        });
        let alloc = self.alloc_site(c.name, kind, c.span);
        let dest = Place::var(self.temp(ty, c.span)?, ty);
        let len = (self.options.unwritten_inputs && !zeroed).then(|| size.clone());
        self.emit(StmtKind::Alloc { alloc, dest: dest.clone(), size, zeroed, fails }, c.span)?;
        let block = Expr::load(dest);
        if let Some(len) = len {
            let (got, name) = (self.is_not_null(&block), format!("initial {}()", c.name));
            self.when(got, c.span, |l| l.input_bytes(&name, block.clone(), len, c.span))?;
        }
        Ok(block)
    }
    /// A new block on the heap, or NULL where allocations may fail (assumption D2).
    pub(super) fn allocate_heap(&mut self, c: &LibraryCall<'_>, size: Expr, zeroed: bool, ty: TypeId) -> Lowered<Expr> {
        self.allocate(c, AllocKind::Heap, size, zeroed, !self.options.allocation_succeeds, ty)
    }
    /// Writes a scalar through a pointer whose checks stand before.
    pub(super) fn store_through(&mut self, ptr: Expr, value: Expr, span: Span) -> Lowered<()> {
        let place = Place::deref(ptr, value.ty);
        self.emit(StmtKind::Assign { place, value }, span)
    }
    /// Runs `then` only when `cond` is not 0; control joins behind.
    pub(super) fn when(&mut self, cond: Expr, span: Span, then: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        let (yes, join) = (self.new_block(span)?, self.new_block(span)?);
        match cond.as_int() {
            Some(0) => self.terminate(Terminator::Goto(join), span)?,
            Some(_) => self.terminate(Terminator::Goto(yes), span)?,
            None => self.terminate(Terminator::Branch { cond, then_to: yes, else_to: join }, span)?,
        }
        self.go_on_in(yes, span)?;
        then(self)?;
        self.terminate(Terminator::Goto(join), span)?;
        self.go_on_in(join, span)
    }
    /// Runs `turn` so many times; `times` is a `size_t`.
    pub(super) fn repeated(
        &mut self,
        times: Expr,
        span: Span,
        turn: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let (head, inside, after) = (self.new_block(span)?, self.new_block(span)?, self.new_block(span)?);
        let (zero, one) = (self.size_const(0), self.size_const(1));
        let left = self.variable_of(times, span)?;
        self.terminate(Terminator::Goto(head), span)?;
        self.go_on_in(head, span)?;
        let cond = self.compared(BinaryOp::Ne, Expr::load(left.clone()), zero);
        self.terminate(Terminator::Branch { cond, then_to: inside, else_to: after }, span)?;
        self.go_on_in(inside, span)?;
        let less = self.size_op(BinaryOp::Sub, Expr::load(left.clone()), one);
        self.set(&left, less, span)?;
        turn(self)?;
        self.terminate(Terminator::Goto(head), span)?;
        self.go_on_in(after, span)
    }
    /// A variable that branches of a model assign.
    pub(super) fn variable_of(&mut self, initial: Expr, span: Span) -> Lowered<Place> {
        let place = Place::var(self.temp(initial.ty, span)?, initial.ty);
        self.emit(StmtKind::Assign { place: place.clone(), value: initial }, span)?;
        Ok(place)
    }
    pub(super) fn set(&mut self, place: &Place, value: Expr, span: Span) -> Lowered<()> {
        self.emit(StmtKind::Assign { place: place.clone(), value }, span)
    }
    /// `a op b` as an `int` truth value, on operands of one type.
    pub(super) fn compared(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.folded(op, a, b, self.int_type())
    }
    pub(super) fn is_not_null(&self, ptr: &Expr) -> Expr {
        self.compared(BinaryOp::Ne, ptr.clone(), Expr::int(0, ptr.ty))
    }
    pub(super) fn kind_type(&self, kind: IntKind) -> TypeId {
        self.program.types.int(kind)
    }
    fn new_block(&mut self, span: Span) -> Lowered<BlockId> {
        self.open_block(span)
    }
}
