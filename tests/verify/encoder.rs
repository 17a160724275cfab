//! Random loop-free programs: under every choice of inputs, the encoder's failure conditions hold exactly where the
//! interpreter errs.

use crate::program::program;
use cellog::concrete::{InputValue, Limits, Outcome, Script, run};
use cellog::encode::automaton::Bounds;
use cellog::encode::encoder::InputTerm;
use cellog::encode::{Automaton, Encoder};
use cellog::engines::cpa::unwinding::{Nothing, Unrolling, unroll};
use cellog::engines::task::Budget;
use cellog::ir::CheckKind;
use cellog::memory::Memory;
use cellog::smt::{Assignment, BitVec, Value};
use std::fmt::Write;
use std::time::Duration;

/// Programs that are tried.
const PROGRAMS: u64 = 300;

/// A source of choices for one program.
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: u64) -> u64 {
        (self.bits() >> 11) % n
    }
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }
}

/// Variables of every width, an array, a record, pointers to them.
const DECLARATIONS: &str = "
struct pair { short first; int second; unsigned char third; };
int main(void) {
  int a = 1, b = 2; unsigned u = 3; unsigned char c = 4; short s = 5; long long l = 6; _Bool flag = 0;
  int array[4] = {7, 8, 9, 10};
  unsigned char bytes[6] = {1, 2, 3};
  struct pair p = {1, 2, 3}, q = {4, 5, 6};
  int *ptr = &a; struct pair *pp = &p; short *sp = &p.first;
";

fn atom(d: &mut Dice) -> String {
    let index = d.below(4);
    match d.below(16) {
        0 => format!("array[{index}]"),
        1 => "array[(unsigned)b & 3]".to_owned(),
        2 => "bytes[u % 6]".to_owned(),
        3 => "p.second".to_owned(),
        4 => "pp->third".to_owned(),
        5 => "*ptr".to_owned(),
        6 => "*sp".to_owned(),
        7 => d.pick(&["0", "1", "-1", "2147483647", "(-2147483647 - 1)", "255", "65536u", "7ll"]).to_owned(),
        8 => "(ptr == &a)".to_owned(),
        9 => "(ptr != &b)".to_owned(),
        _ => d.pick(&["a", "b", "u", "c", "s", "l", "flag"]).to_owned(),
    }
}

fn expression(d: &mut Dice, depth: u32) -> String {
    if depth == 0 {
        return atom(d);
    }
    let x = expression(d, depth - 1);
    let y = expression(d, depth - 1);
    match d.below(12) {
        0 => format!("({x} + {y})"),
        1 => format!("({x} - {y})"),
        2 => format!("({x} * {y})"),
        3 => format!("({x} / (({y}) ? ({y}) : 3))"),
        4 => format!("({x} % (({y}) ? ({y}) : 5))"),
        5 => format!("({x} {} {y})", d.pick(&["&", "|", "^"])),
        6 => format!("({x} {} ({y} & 7))", d.pick(&["<<", ">>"])),
        7 | 8 => format!("({x} {} {y})", d.pick(&["<", "<=", ">", ">=", "==", "!="])),
        9 => format!("({}){x}", d.pick(&["unsigned char", "short", "int", "unsigned", "long long", "_Bool"])),
        10 => format!("({}({x}))", d.pick(&["-", "~", "!"])),
        _ => format!("({x} ? {y} : {})", atom(d)),
    }
}

fn target(d: &mut Dice) -> &'static str {
    d.pick(&[
        "a",
        "b",
        "u",
        "c",
        "s",
        "l",
        "flag",
        "array[1]",
        "array[(unsigned)a & 3]",
        "bytes[u % 6]",
        "p.first",
        "pp->second",
        "*ptr",
        "*sp",
        "q.third",
    ])
}

fn statements(d: &mut Dice, depth: u32, count: u64, out: &mut String) {
    for _ in 0..count {
        let e = expression(d, 2);
        let _ = match d.below(12) {
            0 => writeln!(out, "a = __VERIFIER_nondet_int();"),
            1 => writeln!(
                out,
                "{} = {};",
                d.pick(&["u", "b"]),
                d.pick(&["__VERIFIER_nondet_uint()", "__VERIFIER_nondet_short()"])
            ),
            2 => writeln!(out, "l = __VERIFIER_nondet_longlong(); c = __VERIFIER_nondet_uchar();"),
            3 => writeln!(out, "ptr = {};", d.pick(&["&a", "&b", "&array[2]", "&p.second", "array + (u & 3)"])),
            4 => writeln!(
                out,
                "{}",
                d.pick(&["pp = &q;", "pp = &p; q = p;", "p = q;", "sp = &s;", "sp = (short *)&array[1];"])
            ),
            5 => writeln!(out, "check({e} != {});", d.below(3)),
            6 | 7 if depth > 0 => {
                let _ = writeln!(out, "if ({e}) {{");
                statements(d, depth - 1, 2, out);
                let _ = writeln!(out, "}} else {{");
                statements(d, depth - 1, 1, out);
                writeln!(out, "}}")
            }
            8 if depth > 0 => {
                let _ = writeln!(out, "switch ((int)({e}) & 3) {{ case 0: a = 3; case 1:");
                statements(d, depth - 1, 1, out);
                writeln!(out, "break; case 2 ... 3: b = 1; break; default: b = 2; }}")
            }
            _ => writeln!(out, "{} = {e};", target(d)),
        };
    }
}

fn source(seed: u64) -> String {
    let mut d = Dice(seed | 1);
    let mut text = DECLARATIONS.to_owned();
    text.push_str("a = __VERIFIER_nondet_int(); u = __VERIFIER_nondet_uint(); s = __VERIFIER_nondet_short();\n");
    statements(&mut d, 2, 8, &mut text);
    let e = expression(&mut d, 2);
    let _ = writeln!(text, "check({e} != 1);\nreturn 0; }}");
    text
}

/// Values for all inputs that any path consumes, small ones often.
fn inputs(encoder: &mut Encoder<'_, '_>, seed: u64) -> (Assignment, Vec<InputValue>) {
    let mut d = Dice(seed | 1);
    let mut assignment = Assignment::default();
    let mut consumed = Vec::new();
    let uses = encoder.inputs.clone();
    // Nothing depends on the values of variables that are no inputs.
    let mut roots: Vec<_> = encoder.failures.iter().map(|f| f.condition).collect();
    roots.extend(encoder.gaps.iter().map(|g| g.condition));
    roots.extend(uses.iter().map(|u| u.condition));
    for variable in encoder.pool.variables(&roots) {
        assignment.set(variable, Value::zero(encoder.pool.sort(variable)));
    }
    for input in uses {
        let InputTerm::Int(term, signed) = input.term else { panic!("only integers are asked for") };
        // An input's own term may be an extension of the variable.
        let variable = encoder.pool.variables(&[term])[0];
        let width = encoder.pool.sort(variable).width().unwrap();
        let number = match d.below(4) {
            0 => d.below(4) as u128,
            1 => (d.below(4) as u128).wrapping_neg(),
            _ => u128::from(d.bits()),
        };
        assignment.set(variable, Value::BitVec(BitVec::new(width, number)));
        if encoder.pool.holds(input.condition, &assignment).unwrap() {
            let bits = encoder.pool.evaluate(term, &assignment).unwrap().as_bits().unwrap();
            consumed.push(InputValue::Int(if signed { bits.signed() } else { bits.unsigned() as i128 }));
        }
    }
    (assignment, consumed)
}

fn compare(seed: u64) {
    let source = source(seed);
    let (program, main) = program(&source);
    let memory = Memory::of(&program);
    let automaton = Automaton::new(&program, &memory, main, Bounds::default()).unwrap();
    let kinds = [CheckKind::UnreachCall];
    let mut encoder = Encoder::new(&automaton, &kinds);
    let budget = Budget::of(Duration::from_secs(600));
    let unrolled = unroll(&mut encoder, Unrolling { base: 1, window: false }, &mut Nothing, &budget);
    assert!(!unrolled.aborted && unrolled.beyond.is_empty(), "{source}");
    for round in 0..6 {
        let (assignment, consumed) = inputs(&mut encoder, seed.wrapping_mul(31).wrapping_add(round * 977 + 5));
        for gap in &encoder.gaps {
            assert!(!encoder.pool.holds(gap.condition, &assignment).unwrap(), "{}\n{source}", gap.reason);
        }
        let failing: Vec<_> = encoder
            .failures
            .iter()
            .filter(|f| encoder.pool.holds(f.condition, &assignment).unwrap_or_else(|e| panic!("{e}\n{source}")))
            .map(|f| f.site)
            .collect();
        let limits = Limits { checks: kinds.to_vec(), ..Limits::default() };
        let mut script = Script::of(consumed.clone());
        let run = run(&program, main, &mut script, &limits);
        if run.outcome == Outcome::Stuck("division overflow".to_owned()) {
            continue; // Machines trap there.
        }
        assert!(matches!(run.outcome, Outcome::Returned(_) | Outcome::Error { .. }), "{:?}\n{source}", run.outcome);
        assert!(!run.flags.layout_dependent, "{source}");
        assert_eq!(failing, run.error().into_iter().collect::<Vec<_>>(), "inputs {consumed:?}\n{source}");
    }
}

#[test]
fn failure_conditions_hold_exactly_where_runs_err() {
    // Seeds of the generator are far apart, so that programs are.
    (1..=PROGRAMS).for_each(|n| compare(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
}
