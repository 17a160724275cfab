//! Terms as text: what is shared, or would grow long, is written once and named.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::sort::{ScalarSort, Sort};
use super::super::value::{ScalarValue, Value};
use super::symbol;

/// A term's text may repeat in later commands up to this size, in operators; what is larger is named.
const INLINE: usize = 12;

/// A term's text, which may use the definitions that come before it.
pub(super) struct Layout {
    /// Terms to define, each by its text, which may use the ones before it.
    pub definitions: Vec<(Term, String)>,
    pub text: String,
    /// The terms that `definitions` and `text` are made of.
    pub visited: Vec<Term>,
}

/// Lays out `root`, given the terms that have definitions already.
pub(super) fn lay_out(pool: &TermPool, root: Term, defined: &FxHashSet<Term>) -> Layout {
    let mut visited = vec![root];
    let mut uses: FxHashMap<Term, usize> = FxHashMap::from_iter([(root, 0)]);
    let mut next = 0;
    while next < visited.len() {
        let term = visited[next];
        next += 1;
        if defined.contains(&term) {
            continue;
        }
        for &arg in pool.args(term) {
            *uses.entry(arg).or_insert_with(|| {
                visited.push(arg);
                0
            }) += 1;
        }
    }
    // Arguments have smaller numbers.
    visited.sort_unstable();
    let mut definitions = Vec::new();
    let mut texts: FxHashMap<Term, (String, usize)> = FxHashMap::default();
    for &term in &visited {
        let laid_out = if defined.contains(&term) {
            (symbol::of_definition(term), 1)
        } else {
            let args: Vec<&str> = pool.args(term).iter().map(|arg| texts[arg].0.as_str()).collect();
            let size = 1 + pool.args(term).iter().map(|arg| texts[arg].1).sum::<usize>();
            let text = application(pool, term, &args);
            let leaf = args.is_empty();
            if term != root && !leaf && (uses[&term] > 1 || size > INLINE) {
                definitions.push((term, text));
                (symbol::of_definition(term), 1)
            } else {
                (text, size)
            }
        };
        texts.insert(term, laid_out);
    }
    let (text, _) = texts.remove(&root).expect("the root is visited");
    Layout { definitions, text, visited }
}

impl TermPool {
    /// `term` as one SMT-LIB 2 term, shared subterms bound by `let`.
    pub fn smtlib(&self, term: Term) -> impl fmt::Display + use<> {
        let layout = lay_out(self, term, &FxHashSet::default());
        let mut text = String::new();
        for (defined, definition) in &layout.definitions {
            text.push_str(&format!("(let (({} {definition})) ", symbol::of_definition(*defined)));
        }
        text.push_str(&layout.text);
        text.extend(std::iter::repeat_n(')', layout.definitions.len()));
        text
    }
}

/// The operator of `term` over the texts of its arguments, each used once.
fn application(pool: &TermPool, term: Term, args: &[&str]) -> String {
    let width = || pool.args(term).first().and_then(|&a| pool.sort(a).width()).unwrap_or(0);
    let head = match pool.op(term) {
        Op::Variable(_) => return symbol::of(pool, term),
        Op::Bool(b) => return ScalarValue::Bool(b).to_string(),
        Op::BitVec(bits) => return ScalarValue::BitVec(bits).to_string(),
        Op::Int(i) => return ScalarValue::Int(i).to_string(),
        Op::ConstArray { index, element } => {
            return format!("((as const {}) {element})", Sort::array(index, element.sort()));
        }
        // Written out, as not every solver knows SMT-LIB 2.7's predicates.
        Op::BvUmulo => {
            let (w, a, b) = (width(), args[0], args[1]);
            let product = format!("(bvmul ((_ zero_extend {w}) {a}) ((_ zero_extend {w}) {b}))");
            let zero = Value::zero(ScalarSort::BitVec(w).into());
            return format!("(not (= ((_ extract {} {w}) {product}) {zero}))", 2 * w - 1);
        }
        Op::BvSmulo => {
            let (w, a, b) = (width(), args[0], args[1]);
            let product = format!("(bvmul ((_ sign_extend {w}) {a}) ((_ sign_extend {w}) {b}))");
            let back = format!("((_ sign_extend {w}) ((_ extract {} 0) $p))", w - 1);
            return format!("(let (($p {product})) (not (= $p {back})))");
        }
        op => head(op),
    };
    let mut text = format!("({head}");
    for arg in args {
        text.push(' ');
        text.push_str(arg);
    }
    text.push(')');
    text
}

/// SMT-LIB's spelling of an operator that takes its arguments as they are.
fn head(op: Op) -> String {
    let plain = match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::Concat => "concat",
        Op::IntNeg | Op::IntSub => "-",
        Op::IntAdd => "+",
        Op::IntMul => "*",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::IntLe => "<=",
        Op::IntLt => "<",
        Op::UbvToInt => "ubv_to_int",
        Op::SbvToInt => "sbv_to_int",
        Op::Select => "select",
        Op::Store => "store",
        Op::Extract { high, low } => return format!("(_ extract {high} {low})"),
        Op::ZeroExtend(by) => return format!("(_ zero_extend {by})"),
        Op::SignExtend(by) => return format!("(_ sign_extend {by})"),
        Op::IntToBv(width) => return format!("(_ int_to_bv {width})"),
        Op::Variable(_)
        | Op::Bool(_)
        | Op::BitVec(_)
        | Op::Int(_)
        | Op::BvUmulo
        | Op::BvSmulo
        | Op::ConstArray { .. } => unreachable!("{op:?} is written by itself"),
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::super::{Sort, TermPool};
    use expect_test::expect;

    #[test]
    fn shared_subterms_are_bound_once() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("main::x", Sort::BitVec(8)), pool.variable("select", Sort::BitVec(8)));
        let sum = pool.bv_add(x, y);
        let low = pool.extract(3, 0, sum);
        let (wide, five) = (pool.sign_extend(4, low), pool.bv(8, 5));
        let less = pool.bv_slt(wide, five);
        let overflows = pool.bv_smul_overflows(sum, x);
        let both = pool.and(&[less, overflows]);
        expect![[r#"
            (let (($2 (bvadd |main::x| |select |))) (and (bvslt ((_ sign_extend 4) ((_ extract 3 0) $2)) #x05) (let (($p (bvmul ((_ sign_extend 8) |main::x|) ((_ sign_extend 8) $2)))) (not (= $p ((_ sign_extend 8) ((_ extract 7 0) $p)))))))
        "#]]
        .assert_eq(&format!("{}\n", pool.smtlib(both)));
    }

    #[test]
    fn text_is_linear_in_the_size_of_the_dag() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(32));
        let mut lengths = Vec::new();
        let mut term = x;
        for _ in 0..2 {
            for _ in 0..1000 {
                let square = pool.bv_mul(term, term);
                term = pool.bv_xor(square, x);
            }
            lengths.push(pool.smtlib(term).to_string().len());
        }
        assert!(lengths[0] < 100_000 && lengths[1] < 3 * lengths[0], "{lengths:?}");
    }
}
