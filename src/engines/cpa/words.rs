//! Terms in words: formulas over the variables at a loop's head as C would write them, for people and for rules.

use crate::smt::{Op, Term, TermPool};
use rustc_hash::FxHashMap;

/// A longer text says nothing to a person.
const LONGEST: usize = 4000;

/// The formula, with variables called as `names` says; None when it is too long.
pub fn in_words(pool: &TermPool, formula: Term, names: &FxHashMap<Term, String>) -> Option<String> {
    let mut texts: FxHashMap<Term, String> = FxHashMap::default();
    for term in pool.subterms(&[formula]) {
        let text = match names.get(&term) {
            Some(name) => name.clone(),
            None => {
                let args: Vec<&str> = pool.args(term).iter().map(|a| texts[a].as_str()).collect();
                apply(pool, term, &args)
            }
        };
        if text.len() > LONGEST {
            return None;
        }
        texts.insert(term, text);
    }
    texts.remove(&formula)
}

fn apply(pool: &TermPool, term: Term, args: &[&str]) -> String {
    let infix = |sign: &str| format!("({})", args.join(&format!(" {sign} ")));
    match pool.op(term) {
        Op::Bool(value) => i32::from(value).to_string(),
        Op::BitVec(bits) => bits.signed().to_string(),
        Op::Not => format!("!{}", args[0]),
        Op::And => infix("&&"),
        Op::Or => infix("||"),
        Op::Eq => infix("=="),
        Op::Ite => format!("({} ? {} : {})", args[0], args[1], args[2]),
        Op::BvNot => format!("~{}", args[0]),
        Op::BvNeg => format!("-{}", args[0]),
        Op::BvAnd => infix("&"),
        Op::BvOr => infix("|"),
        Op::BvXor => infix("^"),
        Op::BvAdd => infix("+"),
        Op::BvSub => infix("-"),
        Op::BvMul => infix("*"),
        Op::BvUdiv | Op::BvSdiv => infix("/"),
        Op::BvUrem | Op::BvSrem => infix("%"),
        Op::BvShl => infix("<<"),
        Op::BvLshr | Op::BvAshr => infix(">>"),
        Op::BvUlt => format!("((unsigned){} < (unsigned){})", args[0], args[1]),
        Op::BvUle => format!("((unsigned){} <= (unsigned){})", args[0], args[1]),
        Op::BvSlt => infix("<"),
        Op::BvSle => infix("<="),
        Op::ZeroExtend(_) | Op::SignExtend(_) => args[0].to_owned(),
        Op::Extract { high, low } => format!("bits({}, {low}, {high})", args[0]),
        Op::Variable(_) => pool.name(term).unwrap_or("?").to_owned(),
        op => format!("{op:?}({})", args.join(", ")),
    }
}
