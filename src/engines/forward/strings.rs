//! What is learnt of pointers into strings, and from what: checks that passed, comparisons of characters, library
//! functions that look for something, copies of pointers.

use super::analyzer::{Analyzer, Flow};
use super::evaluate::View;
use super::implications::{Implication, Said};
use super::judge::{determinate, terminated};
use super::object::Object;
use super::refine::{Refiner, copies_of};
use super::shape::Shape;
use super::targets::objects;
use super::texts::{Holder, Origin, Pointer, Text};
use crate::domains::{BaseId, Int, Value, arithmetic};
use crate::ir::{BinaryOp, Expr, ExprKind, LibFn, Place, PlaceBase};

/// So many characters in front of a place are looked at.
const IN_FRONT: i128 = 8;
/// Objects of so many bytes are looked through for a zero.
const SHORT: i128 = 256;

/// A pointer, by how many bytes an expression moves it, and the place of the cell that moves.
struct Moved<'e> {
    pointer: Pointer,
    by: i128,
    place: &'e Place,
}

/// What is known of strings that a write leaves as it is.
pub(super) struct Kept {
    /// The values of the pointer that is written through.
    pointers: Value,
    /// What is known of it, by what it may be taken apart into.
    texts: Vec<(Pointer, Text)>,
    /// Objects whose last byte is zero.
    ended: Vec<BaseId>,
}

impl View<'_> {
    /// What is known of the string that the pointer `e` stands inside, if it points to anything.
    pub fn text(&self, e: &Expr) -> Option<Text> {
        let forms = self.forms(e);
        if forms.is_empty() {
            return self.text_behind(e, 0);
        }
        let value = self.eval(e);
        let inside = || objects(&value).is_some_and(|all| all.iter().all(|(_, offset)| offset.lo() >= 0));
        forms.iter().find_map(|form| self.state.text(form.pointer, &value)?.seen_from(form.by, inside))
    }

    /// The same of a pointer to characters that is read anew each time, moved by so many bytes, where they show that: `argv[i][0]` is a `-`.
    fn text_behind(&self, e: &Expr, by: i128) -> Option<Text> {
        match &e.kind {
            ExprKind::Cast(a) if self.program.types.is_pointer(a.ty) => self.text_behind(a, by),
            ExprKind::PtrAdd(p, n) => {
                let n = self.numbers(&self.eval(n), self.offset_type()).as_constant()?;
                self.text_behind(p, by.checked_add(n)?)
            }
            ExprKind::Load(_) if (1..IN_FRONT).contains(&by) => {
                let ty = self.program.types.pointee(e.ty).filter(|ty| self.program.types.size_of(*ty) == Some(1))?;
                let seen = self.text_seen(&self.eval(e))?;
                let character = |offset| Place { base: PlaceBase::Deref(Box::new(e.clone())), offset, ty, bits: None };
                let goes_on = |at: &i64| {
                    let c = self.load(&character(*at));
                    !c.undefined && c.pointers.is_none() && c.int.is_some_and(|c| !c.contains(0))
                };
                let ahead = (0..by as i64).take_while(goes_on).count() as u32;
                Text { ahead, ..seen }.moved(by)
            }
            _ => None,
        }
    }

    /// The same of each object that it may point to.
    pub fn texts<'e>(&'e self, e: &'e Expr) -> impl Fn(BaseId) -> Option<Text> + 'e {
        let forms = self.forms(e);
        move |target| {
            let inside = || self.eval(e).pointers.offset(target).is_some_and(|offset| offset.lo() >= 0);
            forms.iter().find_map(|form| self.state.text_in(form.pointer, target)?.seen_from(form.by, inside))
        }
    }

    /// Takes a pointer apart: into an object or cell and an index, into a cell and a number of bytes, or both.
    fn forms<'e>(&self, e: &'e Expr) -> Vec<Moved<'e>> {
        let pointer = |e: &Expr| self.program.types.is_pointer(e.ty);
        match &e.kind {
            ExprKind::Load(place) if pointer(e) => {
                let of = |holder| Moved { pointer: Pointer::held(holder), by: 0, place };
                self.holder(place).map(of).into_iter().collect()
            }
            ExprKind::Cast(a) if pointer(a) && pointer(e) => self.forms(a),
            ExprKind::PtrAdd(p, n) => self.indexed(p, n).into_iter().chain(self.moved(p, n)).collect(),
            _ => Vec::new(),
        }
    }

    /// `p + n` as a cell or object and an index.
    fn indexed<'e>(&self, p: &Expr, n: &'e Expr) -> Option<Moved<'e>> {
        let (index, by, place) = self.index(n)?;
        let (origin, start) = self.origin(p)?;
        Some(Moved { pointer: Pointer { origin, index: Some(index) }, by: by.checked_add(start)?, place })
    }

    /// `p + n` as what `p` is, moved by a number that is known.
    fn moved<'e>(&self, p: &'e Expr, n: &Expr) -> Option<Moved<'e>> {
        let by = self.numbers(&self.eval(n), self.offset_type()).as_constant()?;
        let form = self.forms(p).into_iter().next()?;
        Some(Moved { by: form.by.checked_add(by)?, ..form })
    }

    /// What an indexed pointer starts from, and how many bytes further on.
    fn origin(&self, p: &Expr) -> Option<(Origin, i128)> {
        match &p.kind {
            ExprKind::AddrOf(v, offset) => Some((Origin::At(self.bases.variable(*v), *offset), 0)),
            _ => {
                let plain = self.forms(p).into_iter().find(|form| form.pointer.index.is_none())?;
                Some((plain.pointer.origin, plain.by))
            }
        }
    }

    /// The cell whose number `n` is, and what is added to it, where no number changes on the way.
    fn index<'e>(&self, n: &'e Expr) -> Option<(Holder, i128, &'e Place)> {
        let t = self.int_type(n.ty)?;
        match &n.kind {
            ExprKind::Load(place) => Some((self.holder(place)?, 0, place)),
            ExprKind::Cast(a) => {
                let numbers = self.numbers(&self.eval(a), self.int_type(a.ty)?);
                (!t.boolean && numbers.interval().leq(t.bounds())).then(|| self.index(a))?
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let by = self.numbers(&self.eval(b), t).as_constant()?;
                let by = if *op == BinaryOp::Add { by } else { by.checked_neg()? };
                let sum = arithmetic::add(self.numbers(&self.eval(a), t), Int::constant(by))?;
                let (holder, before, place) = self.index(a)?;
                sum.interval().leq(t.bounds()).then_some((holder, before.checked_add(by)?, place))
            }
            _ => None,
        }
    }

    /// Whether a place is a character of a string of determinate ones, or its zero.
    pub fn is_set_character(&self, place: &Place) -> bool {
        let single = Shape::of_place(&self.program.types, place).is_some_and(|s| s.size == 1);
        let text = |p: &Expr| self.text(p).or_else(|| self.text_seen(&self.eval(p)));
        let text = place.pointer().filter(|_| single).and_then(text);
        text.and_then(|t| t.moved(i128::from(place.offset))).is_some_and(|t| t.set)
    }

    /// The same from what the objects hold.
    pub fn text_seen(&self, value: &Value) -> Option<Text> {
        let at = |&(target, offset): &(BaseId, Int)| text_at(self.state.object(self.bases, target)?, offset);
        Text::of_each(objects(value)?.iter().map(at))
    }
}

/// What an object's content says of the strings that start at `offsets`.
pub fn text_at(object: &Object, offsets: Int) -> Option<Text> {
    let short = object.size.hi() <= SHORT;
    if !short && !object.zeros.end(offsets.hi()) || !terminated(object, offsets, 1, None) {
        return None;
    }
    let start = offsets.as_constant().filter(|at| object.zeros.text.map(i128::from) == Some(*at));
    let set = start.is_some() || short && determinate(object, offsets, 1, None) || !object.any_byte().undefined;
    Some(Text { ahead: 0, set })
}

impl Refiner<'_> {
    /// A string starts at `ptr`, and ends in its object. `set`: its characters are determinate.
    pub fn learn_string(&mut self, ptr: &Expr, set: bool) {
        for form in self.view().forms(ptr).into_iter().filter(|form| form.by == 0) {
            let new = Text { ahead: 0, set };
            // What is known of a zero further on stays: the characters before it need not be set.
            self.note_copies(form, ptr, |old| match old {
                Some(old) if old.ahead > 0 => old,
                Some(old) => Text { set: set || old.set, ..old },
                None => new,
            });
        }
        let value = self.view().eval(ptr);
        let Some(&[(target, offset)]) = objects(&value) else { return };
        let start = offset.as_constant().and_then(|at| i64::try_from(at).ok()).filter(|at| *at >= 0);
        let Some(start) = start.filter(|_| !self.bases.is_summary(target)) else { return };
        let news = |o: &Object| if set { o.zeros.text.is_none() } else { !o.zeros.end(i128::from(start)) };
        if self.state.object(self.bases, target).is_some_and(|o| news(o)) {
            self.state.learn(self.bases, target, |o| match set {
                true => o.begin_text(start),
                false => o.zeros.place(start, i64::MAX),
            });
        }
    }

    /// The character `e`, maybe converted, is not zero: a string goes on behind it.
    pub fn learn_character(&mut self, e: &Expr) {
        let ExprKind::Load(place) = &e.kind else {
            if let ExprKind::Cast(a) = &e.kind {
                self.learn_character(a);
            }
            return;
        };
        let PlaceBase::Deref(ptr) = &place.base else { return self.learn_origins(place) };
        if place.bits.is_some() || Shape::of_place(&self.program.types, place).is_none_or(|s| s.size != 1) {
            return;
        }
        let value = self.view().eval(ptr);
        for form in self.view().forms(ptr) {
            let view = self.view();
            let seen = || view.text_seen(&value).filter(|_| form.by == 0);
            let Some(text) = view.state.text(form.pointer, &value).or_else(seen) else { continue };
            if form.by.checked_add(i128::from(place.offset)) == Some(i128::from(text.ahead)) {
                self.note_copies(form, ptr, |_| Text { ahead: text.ahead + 1, ..text });
            }
        }
    }

    /// Notes what is known of a pointer that was taken apart from `e`, and of its copies, from what was known.
    fn note_copies(&mut self, moved: Moved<'_>, e: &Expr, text: impl Fn(Option<Text>) -> Text) {
        let value = self.view().eval(e);
        for copy in copies_of(self.copies, moved.place) {
            if let Some(holder) = self.view().holder(copy) {
                let pointer = moved.pointer.through(holder);
                let new = text(self.state.text(pointer, &value));
                self.state.note_text(pointer, &value, new);
            }
        }
    }
}

impl Analyzer<'_, '_> {
    /// What is known of the string in which a library function finds a place, if it returns one. Before its effect.
    pub(super) fn text_found(&self, flow: &Flow, function: LibFn, args: &[Expr], values: &[Value]) -> Option<Text> {
        let (view, (first, string)) = (self.view(flow), args.first().zip(values.first())?);
        let sought = |i: usize| values.get(i).and_then(Value::as_constant).is_some_and(|c| c & 0xff != 0);
        let ahead = match function {
            LibFn::StrChr(1) | LibFn::StrRChr(1) => u32::from(sought(1)),
            LibFn::StrPBrk(1) => 1,
            LibFn::StrStr(1) => u32::from(self.string_length(flow, values.get(1)?, 1, true).lo() > 0),
            LibFn::StrToIntEnd | LibFn::StrToFloatEnd => 0,
            _ => return None,
        };
        let text = view.text(first).or_else(|| view.text_seen(string))?;
        Some(Text { ahead, ..text })
    }

    /// Where a comparison gives 0, in `flag`, each of its strings goes on as long as the other is for sure.
    pub(super) fn note_equal_starts(
        &self,
        flow: &mut Flow,
        flag: Holder,
        function: LibFn,
        args: &[Expr],
        values: &[Value],
    ) {
        let compares = matches!(
            function,
            LibFn::StrCmp(1) | LibFn::StrNCmp(1) | LibFn::MemCmp(1) | LibFn::StrCaseCmp | LibFn::StrNCaseCmp
        );
        let ([a, b, ..], true) = (args, compares) else { return };
        let view = self.view(flow);
        let most = args.get(2).map_or(i128::MAX, |n| view.numbers(&view.eval(n), view.address_type()).lo());
        let mut told: Vec<Implication> = Vec::new();
        for (string, other) in [(a, values.get(1)), (b, values.first())] {
            let value = view.eval(string);
            let length = other.map_or(0, |other| self.string_length(flow, other, 1, true).lo()).min(most);
            let Some(length) = u32::try_from(length).ok().filter(|n| *n > 0) else { continue };
            for form in view.forms(string).into_iter().filter(|form| form.by == 0) {
                let known = flow.state.text(form.pointer, &value).or_else(|| view.text_seen(&value));
                let Some(text) = known.filter(|text| text.ahead < length) else { continue };
                let text = Text { ahead: length, ..text };
                let cells = copies_of(&flow.copies, form.place).into_iter().filter_map(|copy| view.holder(copy));
                let pointers = cells.map(|cell| form.pointer.through(cell));
                let targets = objects(&value).unwrap_or_default();
                told.extend(pointers.flat_map(|pointer| {
                    let inside = move |(target, _): &(BaseId, Int)| Said::Inside(pointer, *target, text);
                    targets.iter().map(inside).map(|then| Implication { flag, when: Value::constant(0), then })
                }));
            }
        }
        flow.state.implications_mut().add(told);
    }

    /// A character is about to be written to `place` that lies in front of the zero of a string: the zero stays, and is the last byte of its
    /// object if it was.
    pub(super) fn kept_strings(&self, flow: &Flow, place: &Place, value: &Value) -> Option<Kept> {
        let single = Shape::of_place(&self.program.types, place).is_some_and(|s| s.size == 1) && place.bits.is_none();
        let (view, pointer) = (self.view(flow), place.pointer().filter(|_| single)?);
        let forms = view.forms(pointer);
        let pointers = (!forms.is_empty()).then(|| view.eval(pointer))?;
        let in_front = |form: &Moved<'_>, text: Text| form.by + i128::from(place.offset) < i128::from(text.ahead);
        let mut texts: Vec<(Pointer, Text)> = Vec::new();
        for form in forms {
            let Some(text) = flow.state.text(form.pointer, &pointers).filter(|t| in_front(&form, *t)) else { continue };
            let text = Text { set: text.set && !value.undefined, ..text };
            let cells = copies_of(&flow.copies, form.place).into_iter().filter_map(|copy| view.holder(copy));
            // The write does not go to one of these.
            let cells = cells.filter(|cell| pointers.pointers.offset(cell.base).is_none());
            texts.extend(cells.map(|cell| (form.pointer.through(cell), text)));
        }
        let targets = objects(&pointers).filter(|_| !texts.is_empty())?.iter().map(|t| t.0);
        let is_ended = |b: &BaseId| flow.state.object(&self.bases, *b).is_some_and(|o| o.zeros.last);
        Some(Kept { ended: targets.filter(is_ended).collect(), pointers, texts })
    }

    /// The character has been written.
    pub(super) fn note_kept(&self, flow: &mut Flow, kept: Kept) {
        kept.texts.into_iter().for_each(|(pointer, text)| flow.state.note_text(pointer, &kept.pointers, text));
        for base in kept.ended {
            flow.state.learn(&self.bases, base, |o| o.zeros.last = true);
        }
    }

    /// What is known of the string that a pointer stands inside which is about to be copied.
    pub(super) fn text_copied(&self, flow: &Flow, e: &Expr, value: &Value) -> Option<Text> {
        let view = self.view(flow);
        view.text(e).or_else(|| view.text_seen(value).filter(|_| self.program.types.is_pointer(e.ty)))
    }

    /// Notes what is known of the pointer that was written to a cell.
    pub(super) fn note_written(&self, flow: &mut Flow, cell: Option<Holder>, value: &Value, text: Option<Text>) {
        if let Some((cell, text)) = cell.zip(text) {
            flow.state.note_text(Pointer::held(cell), value, text);
        }
    }

    /// What is known of pointers that an index moves, for the number that is about to be copied from it.
    pub(super) fn indexed_texts(&self, flow: &Flow, e: &Expr) -> Vec<(Origin, BaseId, Text)> {
        let indexed = |(p, target, text): (Pointer, BaseId, Text)| Some((p.origin, p.index?, target, text));
        let mut texts = flow.state.texts().filter_map(indexed).peekable();
        if texts.peek().is_none() {
            return Vec::new();
        }
        let Some((cell, by, _)) = self.view(flow).index(e) else { return Vec::new() };
        let of_cell = texts.filter(|(_, index, ..)| *index == cell);
        of_cell.filter_map(|(origin, _, target, text)| Some((origin, target, text.moved(by)?))).collect()
    }

    /// Notes what is known of pointers that the number moves which was written to a cell.
    pub(super) fn note_index(&self, flow: &mut Flow, cell: Option<Holder>, texts: Vec<(Origin, BaseId, Text)>) {
        let Some(cell) = cell else { return };
        for (origin, target, text) in texts {
            // A pointer that was written with the number is another one now.
            if !matches!(origin, Origin::Held(held) if held.base == cell.base) {
                flow.state.note_one_text(Pointer { origin, index: Some(cell) }, target, text);
            }
        }
    }
}
