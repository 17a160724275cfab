//! What a run compares: bytes of its inputs that it compares with others suggest those others.
//!
//! See: Aschermann, Schumilo, Blazytko, Gawlik, Holz, "REDQUEEN: Fuzzing with Input-to-State Correspondence", Sect. 3. We look for the compared
//! values in the inputs as they are, as little and big endian numbers and in digits; no other encodings are tried. Besides, what is compared with
//! the end of a file, with zero, or with how much came suggests what could stand behind its end.

use super::mutate::{Hint, places_of};
use crate::concrete::{Byte, Machine, Observer, Pointer, Value};
use crate::ir::{BinaryOp, Expr, ExprKind, LibFn, Program, Stmt, StmtKind, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Comparisons at one place that are looked at.
const OF_A_PLACE: u32 = 24;
/// Cases of a `switch` that are.
const CASES: usize = 64;
/// Characters of compared strings.
const TEXT: usize = 64;
/// Bytes of a file that is short: one without all that a header has.
const SHORT: i128 = 256;
/// Bytes that may be missing at the end of a file.
const MISSING: i128 = 4096;
/// Suggestions kept of one run, and so many again for the ends of files.
const KEPT: usize = 256;

/// Collects what a run compares.
#[derive(Debug, Default)]
pub(super) struct Compared {
    numbers: BTreeSet<(i128, i128)>,
    texts: BTreeSet<(Vec<u8>, Vec<u8>)>,
    /// How often each comparing statement or terminator was looked at, by its address.
    looked: FxHashMap<usize, u32>,
}

impl Compared {
    /// What machine code has compared: numbers of at most 64 bits, whose signs are not known.
    pub fn of(numbers: Vec<(u64, u64)>) -> Compared {
        let signed = |number: u64| match number {
            0x8000..=0xffff => i128::from(number as i16),
            0x8000_0000..=0xffff_ffff => i128::from(number as i32),
            _ => i128::from(number as i64),
        };
        let both = numbers.iter().map(|(a, b)| (i128::from(*a), i128::from(*b)));
        let with_signs = numbers.iter().map(|(a, b)| (signed(*a), signed(*b)));
        Compared { numbers: both.chain(with_signs).filter(|(a, b)| a != b).collect(), ..Compared::default() }
    }

    /// Numbers in the place of which it suggests others, where they are such.
    pub fn numbers(&self, is_such: impl Fn(i128) -> bool) -> Vec<(i128, i128)> {
        let both = self.numbers.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        both.filter(|(found, _)| is_such(*found)).take(KEPT).collect()
    }

    /// What it suggests for inputs of these contents, of which the first so many are files.
    pub fn hints(self, contents: &[&[u8]], files: usize) -> Vec<Hint> {
        let mut hints = BTreeSet::new();
        let windows = Windows::of(contents);
        let stands = |bytes: &[u8]| windows.may_hold(bytes) && contents.iter().any(|c| holds(c, bytes));
        let mut suggest = |found: Vec<u8>, wanted: Vec<u8>| {
            if found != wanted && stands(&found) {
                hints.insert(Hint { found, wanted });
            }
        };
        for (a, b) in self.texts {
            let shorter = a.len().min(b.len());
            // Of a longer string its start is replaced.
            for (found, wanted) in [(&a, &b), (&b, &a)] {
                suggest(found.clone(), wanted.clone());
                suggest(found[..shorter].to_vec(), wanted.clone());
            }
        }
        let longest = contents[..files].iter().map(|content| content.len() as i128).max();
        let mut more = BTreeSet::new();
        for (a, b) in self.numbers {
            for (found, wanted) in [(a, b), (b, a)] {
                longest.into_iter().for_each(|length| behind(found, wanted, length, &mut more));
                for wanted in [wanted, wanted - 1, wanted + 1] {
                    encodings(found, wanted).for_each(|(found, wanted)| suggest(found, wanted));
                }
            }
        }
        let mut hints: Vec<Hint> = hints.into_iter().collect();
        // The longest are the least likely to stand there by chance.
        hints.sort_by_key(|hint| std::cmp::Reverse(hint.found.len()));
        hints.truncate(KEPT);
        hints.extend(more.into_iter().take(KEPT).map(|wanted| Hint { found: Vec::new(), wanted }));
        hints
    }

    /// Suggestions with those for an earlier run whose inputs these contents were made of.
    pub fn with_earlier(mut hints: Vec<Hint>, earlier: &[Hint], contents: &[&[u8]]) -> Vec<Hint> {
        let behind = hints.split_off(hints.partition_point(|hint| !hint.found.is_empty()));
        let (within, more) = earlier.split_at(earlier.partition_point(|hint| !hint.found.is_empty()));
        let stands = |hint: &&Hint| contents.iter().any(|content| places_of(content, &hint.found).next().is_some());
        let merge = |mut first: Vec<Hint>, others: Vec<Hint>| {
            let known: FxHashSet<Hint> = first.iter().cloned().collect();
            first.extend(others.into_iter().filter(|hint| !known.contains(hint)));
            first.truncate(KEPT);
            first
        };
        let mut hints = merge(hints, within.iter().filter(stands).cloned().collect());
        hints.extend(merge(behind, more.to_vec()));
        hints
    }

    fn is_due(&mut self, place: usize) -> bool {
        let looked = self.looked.entry(place).or_insert(0);
        *looked += 1;
        *looked <= OF_A_PLACE
    }

    fn compare<'p>(&mut self, expr: &'p Expr, machine: &mut Machine<'p>) {
        match &expr.kind {
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (Some(x), Some(y)) = (machine.peek(a), machine.peek(b)) else { return };
                if let (Value::Int(x, _), Value::Int(y, _)) = (x, y)
                    && x != y
                    && [x, y].iter().all(|v| machine.pointer(Value::int(*v)) != Pointer::Indeterminate)
                {
                    self.numbers.insert((x, y));
                }
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.compare(a, machine);
                self.compare(b, machine);
            }
            ExprKind::Cast(e) | ExprKind::Unary(_, e) => self.compare(e, machine),
            _ => {}
        }
    }

    /// What the program compares by a function of its own: two arguments of one call that point to text.
    fn compare_arguments<'p>(&mut self, args: &'p [Expr], machine: &mut Machine<'p>) {
        let Some([a, b]) = text_arguments(args, machine.program()) else { return };
        let (Some(a), Some(b)) = (text(a, TEXT, machine), text(b, TEXT, machine)) else { return };
        if a != b && !a.is_empty() && !b.is_empty() {
            self.texts.insert((a, b));
        }
    }

    fn compare_texts<'p>(&mut self, args: &'p [Expr], limited: bool, machine: &mut Machine<'p>) {
        let limit = match args.get(2).filter(|_| limited) {
            Some(limit) => match machine.peek(limit) {
                Some(Value::Int(n, _)) => usize::try_from(n).unwrap_or(0).min(TEXT),
                _ => return,
            },
            None => TEXT,
        };
        if let (Some(a), Some(b)) = (text(&args[0], limit, machine), text(&args[1], limit, machine))
            && a != b
        {
            self.texts.insert((a, b));
        }
    }
}

/// Whether the bytes stand in the content.
fn holds(content: &[u8], bytes: &[u8]) -> bool {
    Windows::WIDTHS.contains(&bytes.len()) || places_of(content, bytes).next().is_some()
}

/// The runs of one, two, four and eight bytes of some contents, so that not every number that is compared is looked for from start to end.
struct Windows(FxHashSet<(usize, u64)>);

impl Windows {
    const WIDTHS: [usize; 4] = [1, 2, 4, 8];

    fn of(contents: &[&[u8]]) -> Windows {
        let of_content = |content: &&[u8]| -> Vec<(usize, u64)> {
            Windows::WIDTHS
                .iter()
                .flat_map(|width| content.windows(*width).map(|bytes| (*width, word(bytes))))
                .collect()
        };
        Windows(contents.iter().flat_map(of_content).collect())
    }

    /// False where the bytes stand nowhere; true says so for as many bytes as a run has, of others that they begin as some do.
    fn may_hold(&self, bytes: &[u8]) -> bool {
        let width = Windows::WIDTHS.into_iter().rev().find(|width| *width <= bytes.len());
        width.is_some_and(|width| self.0.contains(&(width, word(&bytes[..width]))))
    }
}

/// Up to eight bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The arguments of a call that may point to text, where these are two.
pub(super) fn text_arguments<'p>(args: &'p [Expr], program: &Program) -> Option<[&'p Expr; 2]> {
    let is_text = |arg: &&Expr| {
        let target = program.types.pointee(arg.ty).filter(|_| program.types.is_pointer(arg.ty));
        target.is_some_and(|ty| program.types.size_of(ty).is_none_or(|size| size <= 1))
    };
    let mut texts = args.iter().filter(is_text);
    let both = [texts.next()?, texts.next()?];
    texts.next().is_none().then_some(both)
}

/// The bytes that a pointer leads to, at most so many.
pub(super) fn bytes<'p>(pointer: &'p Expr, limit: usize, machine: &mut Machine<'p>) -> Option<Vec<u8>> {
    let value = machine.peek(pointer)?;
    let Pointer::Object { slot, live: true, offset } = machine.pointer(value) else { return None };
    Some(machine.bytes(slot, offset).take(limit).map_while(number).collect())
}

/// The same up to a terminator.
pub(super) fn text<'p>(pointer: &'p Expr, limit: usize, machine: &mut Machine<'p>) -> Option<Vec<u8>> {
    let mut text = bytes(pointer, limit, machine)?;
    text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
    Some(text)
}

/// What could stand behind the end of a file of this length since `found` is compared with `wanted`.
pub(super) fn behind(found: i128, wanted: i128, length: i128, more: &mut BTreeSet<Vec<u8>>) {
    let is_byte = (0..256).contains(&wanted);
    match found {
        // The end of a file, where a character would do.
        -1 if is_byte => drop(more.insert(vec![wanted as u8])),
        // What nothing was read to.
        0 if wanted > 0 && length <= SHORT => {
            more.extend(encodings(0, wanted).map(|(_, wanted)| wanted).filter(|bytes| bytes.len() > 1 || is_byte));
        }
        _ => {}
    }
    let missing = wanted.saturating_sub(found);
    if (0..=length).contains(&found) && (1..=MISSING).contains(&missing) {
        more.insert(vec![0; missing as usize]);
    }
}

/// How a number may stand in an input, and what stands there for another one.
pub(super) fn encodings(found: i128, wanted: i128) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
    let fits = |value: i128, width: u32| (-(1i128 << (8 * width - 1))..1i128 << (8 * width)).contains(&value);
    let binary = [1u32, 2, 4, 8].into_iter().filter(move |w| fits(found, *w) && fits(wanted, *w)).flat_map(move |w| {
        let little = |v: i128| v.to_le_bytes()[..w as usize].to_vec();
        let big = move |v: i128| little(v).into_iter().rev().collect::<Vec<u8>>();
        let swapped = (w > 1).then(|| (big(found), big(wanted)));
        [Some((little(found), little(wanted))), swapped].into_iter().flatten()
    });
    binary.chain([(found.to_string().into_bytes(), wanted.to_string().into_bytes())])
}

impl Observer for Compared {
    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        match &stmt.kind {
            StmtKind::Lib { function, args, .. } => {
                let limited = match function {
                    LibFn::StrCmp(1) | LibFn::StrCaseCmp | LibFn::StrStr(1) => false,
                    LibFn::StrNCmp(1) | LibFn::MemCmp(1) | LibFn::StrNCaseCmp => true,
                    _ => return,
                };
                if self.is_due(std::ptr::from_ref(stmt) as usize) {
                    self.compare_texts(args, limited, machine);
                }
            }
            StmtKind::Call { args, .. } if self.is_due(std::ptr::from_ref(stmt) as usize) => {
                self.compare_arguments(args, machine);
            }
            StmtKind::Assign { value, .. } if compares(value) && self.is_due(std::ptr::from_ref(stmt) as usize) => {
                self.compare(value, machine);
            }
            _ => {}
        }
    }

    fn before_terminator<'p>(&mut self, terminator: &'p Terminator, machine: &mut Machine<'p>) {
        match terminator {
            Terminator::Branch { cond, .. } if self.is_due(std::ptr::from_ref(terminator) as usize) => {
                self.compare(cond, machine);
            }
            Terminator::Switch { value, cases, .. } if self.is_due(std::ptr::from_ref(terminator) as usize) => {
                if let Some(Value::Int(v, _)) = machine.peek(value) {
                    self.numbers.extend(cases.iter().take(CASES).map(|c| (v, c.low)).filter(|(v, low)| v != low));
                }
            }
            _ => {}
        }
    }
}

fn number(byte: Byte) -> Option<u8> {
    match byte {
        Byte::Number(number) => Some(number),
        _ => None,
    }
}

fn compares(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::Cast(e) | ExprKind::Unary(_, e) => compares(e),
        _ => false,
    }
}
