//! Records that the library fills: times, file states, directory entries.

use super::LibraryCall;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::program::Excluded;
use crate::ir::{AccessMode, AllocKind, Expr, IntKind, Place, StmtKind, Type, TypeId};

/// Greatest second of time and greatest file position: far from what arithmetic on them could overflow.
pub(super) const LAST_SECOND: i64 = 1 << 40;
pub(super) const LAST_OFFSET: i64 = 1 << 60;

/// Values that members of this name have in whatever record.
fn member_range(name: &str) -> Option<(i64, i64)> {
    Some(match name {
        "tv_sec" | "actime" | "modtime" => (0, LAST_SECOND),
        "tv_usec" => (0, 999_999),
        "tv_nsec" => (0, 999_999_999),
        "tm_sec" => (0, 60),
        "tm_min" => (0, 59),
        "tm_hour" => (0, 23),
        "tm_mday" => (1, 31),
        "tm_mon" => (0, 11),
        "tm_year" => (-1900, 40_000),
        "tm_wday" => (0, 6),
        "tm_yday" => (0, 365),
        "tm_isdst" => (-1, 1),
        "tm_gmtoff" => (-86_400, 86_400),
        "st_size" | "st_blocks" => (0, LAST_OFFSET),
        "st_blksize" => (1, 1 << 30),
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// Fills the object of type `ty` at `ptr`, checked before: bytes of any content, times in their ranges, character
    /// arrays terminated, `char *` members pointing to texts and other pointers anywhere.
    /// `free`: the environment chooses the content; else it is a computation's.
    pub(super) fn fill_object(&mut self, c: &LibraryCall<'_>, ptr: &Expr, ty: TypeId, free: bool) -> Lowered<()> {
        let Some(size) = self.program.types.size_of(ty) else { return Ok(()) };
        let (name, size) = (format!("{}() content", c.name), self.size_const(size));
        if free {
            self.input_bytes(&name, ptr.clone(), size, c.span)?;
        } else {
            self.approximate_bytes(&name, ptr.clone(), size, c.span)?;
        }
        self.settle_members(c, ptr, 0, ty, free)
    }

    fn settle_members(&mut self, c: &LibraryCall<'_>, ptr: &Expr, at: u64, ty: TypeId, free: bool) -> Lowered<()> {
        let fields = match self.program.types.layout(ty) {
            Some(layout) => layout.fields.clone(),
            None => return Ok(()),
        };
        for field in fields.iter().filter(|f| f.bits.is_none()) {
            let (name, offset) = (field.name.as_deref().unwrap_or(""), at + field.offset);
            let place = Place { offset: offset as i64, ..Place::deref(ptr.clone(), field.ty) };
            match *self.program.types.get(field.ty) {
                Type::Int(_) => {
                    let Some((low, high)) = member_range(name) else { continue };
                    let range = Some((Expr::int(low.into(), field.ty), Expr::int(high.into(), field.ty)));
                    let site = format!("{}() {name}", c.name);
                    let input = if free { self.input(site, c.span) } else { self.approximate_input(site, c.span) };
                    self.emit(StmtKind::Input { input, dest: place, range }, c.span)?;
                }
                Type::Pointer(_) if field.ty == self.program.types.char_ptr() => {
                    let value = self.new_text(c, AllocKind::Static, 255, false, field.ty)?;
                    self.emit(StmtKind::Assign { place, value }, c.span)?;
                }
                Type::Pointer(_) => {
                    let value = self.pointer_elsewhere(c, name, field.ty)?;
                    self.emit(StmtKind::Assign { place, value }, c.span)?;
                }
                Type::Record(_) => self.settle_members(c, ptr, offset, field.ty, free)?,
                Type::Array(elem, Some(n)) if n > 0 && self.program.types.size_of(elem) == Some(1) => {
                    if name == "d_name" && free {
                        self.name_of_file(c, ptr, offset, n)?;
                    }
                    let last = self.advanced(ptr.clone(), self.size_const(offset + n - 1));
                    self.terminate_text(last, 1, c.span)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The pointers in the record at `ptr` lead to what nothing is known of.
    pub(super) fn lead_elsewhere(&mut self, c: &LibraryCall<'_>, ptr: &Expr, record: TypeId) -> Lowered<()> {
        let fields = self.program.types.layout(record).map(|layout| layout.fields.clone()).unwrap_or_default();
        for field in &fields {
            if !self.program.types.is_pointer(field.ty) {
                continue;
            }
            let value = self.pointer_elsewhere(c, field.name.as_deref().unwrap_or(""), field.ty)?;
            let place = Place { offset: field.offset as i64, ..Place::deref(ptr.clone(), field.ty) };
            self.emit(StmtKind::Assign { place, value }, c.span)?;
        }
        Ok(())
    }

    /// A pointer of which nothing is known: what it leads to is the library's.
    fn pointer_elsewhere(&mut self, c: &LibraryCall<'_>, member: &str, ty: TypeId) -> Lowered<Expr> {
        let names = ["", "another "].map(|word| format!("{}() {word}{member}", c.name));
        let [first, second] = names.map(|name| self.unknown_content(&name, ty, c.span));
        let result = self.variable_of(first, c.span)?;
        let other = self.perhaps(&format!("{}() gives another pointer", c.name), c.span)?;
        self.when(other, c.span, |l| l.set(&result, second, c.span))?;
        Ok(Expr::load(result))
    }

    /// A name in a directory, in `room` bytes behind `ptr`: it is not empty and has no `/`.
    fn name_of_file(&mut self, c: &LibraryCall<'_>, ptr: &Expr, offset: u64, room: u64) -> Lowered<()> {
        const NO_NAME: Excluded = Excluded { bytes: b"/", may_end: false, wide: false };
        let at = self.advanced(ptr.clone(), self.size_const(offset));
        let size = self.size_const(room);
        self.input_bytes_without(NO_NAME, &format!("{}() name", c.name), at.clone(), size, c.span)?;
        let character = self.program.types.int(IntKind::UChar);
        let first = Expr::load(Place::deref(at, character));
        let cond = self.compared(crate::ir::BinaryOp::Ne, first, Expr::int(0, character));
        self.emit(StmtKind::Assume { cond }, c.span)
    }

    /// The member of that name of the record that a pointer points to; no bit-field.
    pub(super) fn member_at(&self, ptr: &Expr, name: &str) -> Option<Place> {
        let layout = self.program.types.layout(self.program.types.pointee(ptr.ty)?)?;
        let field = layout.fields.iter().find(|f| f.name.as_deref() == Some(name) && f.bits.is_none())?;
        Some(Place { offset: field.offset as i64, ..Place::deref(ptr.clone(), field.ty) })
    }

    /// What argument `i` points to: a type of known size, a byte where there is none.
    fn object_type(&mut self, c: &LibraryCall<'_>, i: usize) -> Lowered<(Expr, TypeId)> {
        let ptr = self.pinned_arg(c, i)?;
        let ty = self.program.types.pointee(ptr.ty).filter(|t| self.program.types.size_of(*t).is_some());
        Ok((ptr, ty.unwrap_or(self.program.types.int(IntKind::Char))))
    }
    /// Argument `i` points to an object of its type.
    pub(super) fn check_object(&mut self, c: &LibraryCall<'_>, i: usize, mode: AccessMode) -> Lowered<()> {
        self.check_objects(c, i, 1, mode)
    }
    /// Argument `i` points to so many objects of its type.
    pub(super) fn check_objects(&mut self, c: &LibraryCall<'_>, i: usize, n: u64, mode: AccessMode) -> Lowered<()> {
        let (ptr, ty) = self.object_type(c, i)?;
        let size = self.program.types.size_of(ty).unwrap_or(1);
        let size = self.size_const(size.saturating_mul(n));
        match mode {
            AccessMode::Read => self.check_read(c, i, ptr, size),
            AccessMode::Write => self.check_write(c, i, ptr, size),
        }
    }
    /// Fills the object that argument `i` points to; checks stand before. `free` as for [`Lowerer::fill_object`].
    pub(super) fn fill_checked(&mut self, c: &LibraryCall<'_>, i: usize, free: bool) -> Lowered<()> {
        let (ptr, ty) = self.object_type(c, i)?;
        self.fill_object(c, &ptr, ty, free)
    }
    /// Fills so many numbers that argument `i` points to with bytes that the environment chooses; checks stand before.
    pub(super) fn fill_row(&mut self, c: &LibraryCall<'_>, i: usize, n: u64) -> Lowered<()> {
        let (ptr, ty) = self.object_type(c, i)?;
        let size = self.size_const(self.program.types.size_of(ty).unwrap_or(1).saturating_mul(n));
        self.input_bytes(&format!("{}() content", c.name), ptr, size, c.span)
    }
    /// Does that unless argument `i` is NULL.
    pub(super) fn when_given(
        &mut self,
        c: &LibraryCall<'_>,
        i: usize,
        then: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let ptr = self.pinned_arg(c, i)?;
        let given = self.is_not_null(&ptr);
        if given.as_int() == Some(0) {
            return Ok(());
        }
        self.when(given, c.span, then)
    }
    /// Argument `i` points to an object that the call fills.
    pub(super) fn fill_argument(&mut self, c: &LibraryCall<'_>, i: usize, free: bool) -> Lowered<()> {
        self.check_object(c, i, AccessMode::Write)?;
        self.fill_checked(c, i, free)
    }
}
