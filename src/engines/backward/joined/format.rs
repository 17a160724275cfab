//! What `printf` and kin write into memory, backwards: how many characters, and which.
//!
//! A format that does not change is taken apart. Numbers of as many digits are written alike, a string is asked where it
//! ends; of what is written only decimals are told apart. Other conversions are not gone through.

use super::engine::{Joined, number};
use super::memory::Source;
use super::resolve::{Goals, Resolved};
use super::text::Text;
use crate::domains::cell::{Cell, CellExpr};
use crate::domains::cell_set::CellStates;
use crate::domains::{Int, IntType, Value, arithmetic};
use crate::ir::format::{Directive, Piece, Spelled, pieces};
use crate::ir::{BinaryOp, Expr, Place};

/// Characters of a format, and of what it writes, that are looked at.
const LONGEST: i128 = 256;
/// Ways to write a format that are told apart; with more it is not gone through.
const MOST: usize = 64;
/// Numbers without bounds.
const WIDE: IntType = IntType { bits: 128, signed: true, boolean: false };

/// A part of a format with its argument.
enum Part<'e> {
    Char(i128),
    /// An integer, taken in a type.
    Integer(Directive, &'e Expr, IntType),
    /// A character of the output's size.
    Character(Directive, &'e Expr),
    /// A string of such characters, at most so many.
    Text(&'e Expr, i128),
}

/// One way to write a part: its characters, or how many there are.
#[derive(Clone)]
struct Way<T> {
    written: T,
    when: Goals,
    known: Vec<(Cell, Value)>,
}

impl<T> Way<T> {
    fn plain(written: T) -> Way<T> {
        Way { written, when: Goals::new(), known: Vec::new() }
    }
    /// The same, written otherwise.
    fn map<V>(&self, written: impl FnOnce(&T) -> V) -> Way<V> {
        Way { written: written(&self.written), when: self.when.clone(), known: self.known.clone() }
    }
    /// Both, one behind the other.
    fn then<U, V>(&self, next: &Way<U>, both: impl FnOnce(&T, &U) -> V) -> Way<V> {
        Way {
            written: both(&self.written, &next.written),
            when: [&self.when[..], &next.when].concat(),
            known: [&self.known[..], &next.known].concat(),
        }
    }
}

impl Joined<'_> {
    /// `dest` gets the number of characters that a format and its arguments give.
    pub(super) fn format_length(&mut self, dest: &Place, size: u8, args: &[Expr], post: &CellStates) -> CellStates {
        let untouched = self.havoc(dest, post);
        let (Some(ty), Some(tos), Some(parts)) = (self.cell_type(dest.ty), self.targets(dest), self.parts(size, args))
        else {
            return untouched;
        };
        let [to] = &tos[..] else { return untouched };
        let cell = Cell { base: to.base, offset: to.offset, ty };
        let mut all = untouched.clone();
        for part in post.parts().iter().filter(|p| !untouched.parts().contains(p)) {
            let Some(wanted) = part.cells.get(&cell).and_then(Value::plain) else { continue };
            for Way { written, when, known } in self.lengths(&parts, size, wanted) {
                let value = Resolved { e: CellExpr::Range(written), when, known };
                all.lower_join(self.write_one(to, ty, &value, &CellStates::of([part.clone()])));
            }
        }
        all
    }

    /// At most a count of characters with their end are written.
    pub(super) fn write_format(&mut self, size: u8, args: &[Expr], post: &CellStates) -> CellStates {
        let [to, count, format @ ..] = args else { return CellStates::none() };
        let untouched = self.spoil(to, post);
        let most = self.constant(count);
        if most == Some(0) {
            return post.clone();
        }
        let (Some(tos), Some(parts)) = (self.spots(to), self.parts(size, format)) else { return untouched };
        let kept = most.map_or(LONGEST, |n| n - 1);
        let Some(mut texts) = self.texts(&parts.iter().collect::<Vec<_>>(), size, kept.min(LONGEST) as usize) else {
            return untouched;
        };
        // Where these have not been cut by the count, they end.
        texts.retain(|text| kept < LONGEST || (text.written.len() as i128) < LONGEST);
        let mut all = untouched.clone();
        for part in post.parts().iter().filter(|p| !untouched.parts().contains(p)) {
            for (to, text) in tos.iter().flat_map(|to| texts.iter().map(move |text| (to, text))) {
                let mut units = text.written.clone();
                let counts = if most.is_some() { vec![number(0).into()] } else { self.longer(count, units.len()) };
                units.push(number(0));
                let bytes = units.len() as i128 * i128::from(size);
                let source = Source::Numbers(units, size.into());
                for count in &counts {
                    let amount = Resolved { e: number(bytes), ..count.clone() }.also(&text.when, &text.known);
                    all.lower_join(self.filled(to, &source, &(amount, Int::constant(bytes)), part));
                }
            }
        }
        all
    }

    /// How a count is more than this.
    fn longer(&self, count: &Expr, characters: usize) -> Vec<Resolved> {
        let more = |r: Resolved| {
            let (count, least) = (Box::new(r.e.clone()), Box::new(number(characters as i128)));
            r.also(&[(CellExpr::Binary(BinaryOp::Gt, count, least, IntType::signed(32)), Value::constant(1))], &[])
        };
        self.expr(count).into_iter().map(more).collect()
    }

    /// A format that does not change, with its arguments; None where it is not understood.
    fn parts<'e>(&self, size: u8, args: &'e [Expr]) -> Option<Vec<Part<'e>>> {
        let [format, args @ ..] = args else { return None };
        let mut args = args.iter();
        let mut text = self.constant_text(format, size, true, LONGEST)?;
        text.pop();
        let characters: Vec<u32> = text.iter().map(|c| *c as u32).collect();
        let part = |piece| match piece {
            Piece::Char(c) => Some(Part::Char(c.into())),
            Piece::Directive(d) if d.conversion == b'%' && d.is_fixed() => Some(Part::Char(b'%'.into())),
            Piece::Directive(d) => self.conversion(d, size, args.next()?),
        };
        pieces(&characters).into_iter().map(part).collect()
    }

    fn conversion<'e>(&self, d: Directive, size: u8, arg: &'e Expr) -> Option<Part<'e>> {
        let fits_size = d.is_of_size(size);
        let given = || self.cell_type(arg.ty)?.int();
        match d.conversion {
            _ if !d.is_fixed() || d.width.max(d.precision.unwrap_or(0)) as i128 > LONGEST => None,
            _ if d.is_integer() => {
                let bits = d.bits_of(given()?.bits, self.program.types.pointer_size() as u8)?;
                Some(Part::Integer(d, arg, IntType { bits, signed: d.is_signed(), boolean: false }))
            }
            b'c' | b'C' if fits_size && given()?.bits == 32 => Some(Part::Character(d, arg)),
            b's' | b'S' if fits_size && d.width == 0 => {
                Some(Part::Text(arg, d.precision.map_or(i128::MAX, |n| n as i128)))
            }
            _ => None,
        }
    }

    // How long it is.

    /// How the length is among the wanted numbers.
    fn lengths(&self, parts: &[Part<'_>], size: u8, wanted: Int) -> Vec<Way<Int>> {
        let (mut fixed, mut others) = (0, Vec::new());
        for part in parts {
            match part {
                Part::Char(_) => fixed += 1,
                Part::Character(d, _) => fixed += d.width.max(1) as i128,
                Part::Integer(..) | Part::Text(..) => others.push(part),
            }
        }
        let mut begun = vec![Way::plain(fixed)];
        let last = others.pop();
        for part in others {
            let Some(next) = self.texts(&[part], size, LONGEST as usize) else { return Vec::new() };
            let longer = |before: &Way<i128>| -> Vec<Way<i128>> {
                next.iter().map(|way| before.then(way, |n, text| n + text.len() as i128)).collect()
            };
            begun = begun.iter().flat_map(longer).collect();
            if begun.len() > MOST {
                return Vec::new();
            }
        }
        let ends = |before: &Way<i128>| -> Vec<Way<Int>> {
            let whole = |rest: Int| arithmetic::add(rest, Int::constant(before.written)).filter(|n| n.leq(wanted));
            let Some(rest) = arithmetic::sub(wanted, Int::constant(before.written)) else { return Vec::new() };
            let last = last.map_or(vec![Way::plain(Int::constant(0))], |part| self.part_lengths(part, size, rest));
            let all = last.iter().filter_map(|way| Some((way, whole(way.written)?)));
            all.map(|(way, written)| before.then(way, |_, _| written)).collect()
        };
        begun.iter().flat_map(ends).collect()
    }

    /// The lengths of one part that are wanted, as far as they are understood.
    fn part_lengths(&self, part: &Part<'_>, size: u8, wanted: Int) -> Vec<Way<Int>> {
        match part {
            Part::Integer(d, arg, ty) => {
                let numbers = self.numbers(d, arg, *ty).into_iter();
                numbers.map(|(way, of)| way.map(|_| length(d.number_length(of)))).collect()
            }
            Part::Text(arg, most) if self.constant_text(arg, size, true, LONGEST).is_none() => {
                let mut all = Vec::new();
                for target in self.spots(arg).unwrap_or_default() {
                    for (written, goals) in self.lengths_of(&target, size, *most, wanted) {
                        let when = [&target.when[..], &goals].concat();
                        all.push(Way { written, when, known: target.known.clone() });
                    }
                }
                all
            }
            part => {
                let texts = self.texts(&[part], size, LONGEST as usize).unwrap_or_default();
                texts.iter().map(|way| way.map(|text| length(text.len()))).collect()
            }
        }
    }

    // What it is.

    /// The texts that parts give, no more than the first characters of each; None where they are too many.
    fn texts(&self, parts: &[&Part<'_>], size: u8, kept: usize) -> Option<Vec<Way<Vec<CellExpr>>>> {
        let mut all = vec![Way::plain(Vec::new())];
        for part in parts {
            let next = self.part_texts(part, size, kept)?;
            let longer = |before: &Way<Vec<CellExpr>>| -> Vec<Way<Vec<CellExpr>>> {
                if before.written.len() >= kept {
                    return vec![before.clone()];
                }
                next.iter().map(|way| before.then(way, |a, b| [&a[..], b].concat())).collect()
            };
            all = all.iter().flat_map(longer).collect();
            if all.len() > MOST {
                return None;
            }
        }
        all.iter_mut().for_each(|way| way.written.truncate(kept));
        Some(all)
    }

    fn part_texts(&self, part: &Part<'_>, size: u8, kept: usize) -> Option<Vec<Way<Vec<CellExpr>>>> {
        let character = |c: u8| number(c.into());
        Some(match part {
            Part::Char(c) => vec![Way::plain(vec![number(*c)])],
            Part::Character(d, arg) => {
                let ty = IntType::unsigned(u32::from(size) * 8);
                let way = |Resolved { e, when, known }| {
                    let text = d.padded(vec![CellExpr::Convert(Box::new(e), ty)], character(b' '));
                    Way { written: text, when, known }
                };
                self.expr(arg).into_iter().map(way).collect()
            }
            Part::Integer(d, arg, ty) => {
                let text = |(way, of): (Way<CellExpr>, Spelled)| {
                    way.map(|e| d.number(d.prefix(of.low), digits(d, e, of), character))
                };
                self.numbers(d, arg, *ty).into_iter().map(text).collect()
            }
            Part::Text(arg, most) => self.strings(arg, size, (*most).min(kept as i128))?,
        })
    }

    /// The numbers that an argument may be, by how many digits they have.
    fn numbers(&self, d: &Directive, arg: &Expr, ty: IntType) -> Vec<(Way<CellExpr>, Spelled)> {
        let possible = self.forward.noted.value(arg).and_then(Value::plain).map_or(ty.top(), |n| ty.wrap(n));
        let mut all = Vec::new();
        for Resolved { e, when, known } in self.expr(arg) {
            let e = CellExpr::Convert(Box::new(e), ty);
            for of in d.spelled((ty.bits / 8) as u8) {
                let range = Int::range(of.low, of.high);
                if possible.meet(range).is_some() {
                    let when = [&when[..], &[(e.clone(), Value::int(range))]].concat();
                    all.push((Way { written: e.clone(), when, known: known.clone() }, of));
                }
            }
        }
        all
    }

    /// The strings that an argument may be, up to a length; of longer ones the beginning.
    fn strings(&self, arg: &Expr, size: u8, most: i128) -> Option<Vec<Way<Vec<CellExpr>>>> {
        if let Some(mut fixed) = self.constant_text(arg, size, true, LONGEST) {
            fixed.pop();
            return Some(vec![Way::plain(fixed.into_iter().take(most as usize).map(number).collect())]);
        }
        let mut all = Vec::new();
        for target in self.spots(arg)? {
            let text = Text::new(&target, size);
            for (n, goals) in self.ends_of(&target, size, most) {
                let when = [&target.when[..], &goals].concat();
                all.push(Way { written: (0..n).map(|i| text.cell(i)).collect(), when, known: target.known.clone() });
            }
        }
        Some(all)
    }
}

fn length(characters: usize) -> Int {
    Int::constant(characters as i128)
}

/// The digits of a number that has so many; those that are no decimals may be any.
fn digits(d: &Directive, e: &CellExpr, of: Spelled) -> Vec<CellExpr> {
    if d.radix() != 10 {
        return vec![CellExpr::Range(Int::range(b'0'.into(), b'f'.into())); of.digits];
    }
    let size = match of.low < 0 {
        true => CellExpr::Binary(BinaryOp::Sub, Box::new(number(0)), Box::new(e.clone()), WIDE),
        false => e.clone(),
    };
    let digit = |place: u32| {
        let above = match place {
            0 => size.clone(),
            _ => CellExpr::with_number(BinaryOp::Div, size.clone(), 10i128.pow(place), WIDE),
        };
        // Nothing stands before the first one.
        let first = place as usize + 1 == of.digits;
        let one = if first { above } else { CellExpr::with_number(BinaryOp::Rem, above, 10, WIDE) };
        CellExpr::with_number(BinaryOp::Add, one, b'0'.into(), WIDE)
    };
    (0..of.digits as u32).rev().map(digit).collect()
}
