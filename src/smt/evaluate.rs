//! Evaluation: what a term is worth under an assignment. The oracle of the simplifier, of translations and of models.

use rustc_hash::FxHashMap;

use super::bits::BitVec;
use super::error::{Result, SmtError};
use super::op::{Op, Term};
use super::pool::TermPool;
use super::value::{Assignment, Value};

impl TermPool {
    /// The value of `term` where variables have the values of `assignment`.
    ///
    /// # Errors
    /// [`SmtError::Unassigned`] for a variable without a value, [`SmtError::IllSorted`] for one of another sort.
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Result<Value> {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        let mut args = Vec::new();
        for t in self.subterms(&[term]) {
            let value = match self.op(t) {
                Op::Variable(_) => self.variable_value(t, assignment)?,
                op => {
                    args.clear();
                    args.extend(self.args(t).iter().map(|arg| values[arg]));
                    apply(op, &args)?
                }
            };
            values.insert(t, value);
        }
        Ok(values.remove(&term).expect("a term is among its own subterms"))
    }

    /// The values of `terms`, where those that `known` has a value for have it; it has one for every variable that is come to.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    pub(super) fn evaluate_from(&self, terms: &[Term], known: &dyn Fn(Term) -> Option<Value>) -> Result<Vec<Value>> {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        let (mut waiting, mut args) = (terms.to_vec(), Vec::new());
        while let Some(&t) = waiting.last() {
            if values.contains_key(&t) {
                waiting.pop();
                continue;
            }
            if let Some(value) = known(t) {
                values.insert(t, value);
                continue;
            }
            let before = waiting.len();
            waiting.extend(self.args(t).iter().filter(|arg| !values.contains_key(arg)));
            if waiting.len() == before {
                args.clear();
                args.extend(self.args(t).iter().map(|arg| values[arg]));
                values.insert(t, apply(self.op(t), &args)?);
            }
        }
        Ok(terms.iter().map(|t| values[t]).collect())
    }

    /// Whether the formula `term` holds under `assignment`. Errors as [`evaluate`](Self::evaluate).
    pub fn holds(&self, term: Term, assignment: &Assignment) -> Result<bool> {
        let value = self.evaluate(term, assignment)?;
        value.as_bool().ok_or_else(|| SmtError::IllSorted { op: self.op(term), sorts: vec![value.sort()] })
    }

    fn variable_value(&self, variable: Term, assignment: &Assignment) -> Result<Value> {
        let name = || self.name(variable).unwrap_or_default().to_owned();
        let value = assignment.get(variable).ok_or_else(|| SmtError::Unassigned { name: name() })?;
        if value.sort() != self.sort(variable) {
            return Err(SmtError::IllSorted { op: self.op(variable), sorts: vec![value.sort()] });
        }
        Ok(value)
    }
}

/// The value of `op` over `args`, which have the sorts it takes.
pub(super) fn apply(op: Op, args: &[Value]) -> Result<Value> {
    let ill_sorted = || SmtError::IllSorted { op, sorts: args.iter().map(|v| v.sort()).collect() };
    let value = match *args {
        [Value::BitVec(a)] => unary(op, a),
        [Value::BitVec(a), Value::BitVec(b)] => binary(op, a, b),
        _ => None,
    };
    value.or_else(|| structural(op, args)).ok_or_else(ill_sorted)
}

/// What applies at any sort, or to truth values.
fn structural(op: Op, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (Op::Bool(b), []) => Some(Value::Bool(b)),
        (Op::BitVec(bits), []) => Some(Value::BitVec(bits)),
        (Op::Not, [a]) => Some(Value::Bool(!a.as_bool()?)),
        (Op::And, all) => {
            let truths: Option<Vec<bool>> = all.iter().map(|v| v.as_bool()).collect();
            Some(Value::Bool(truths?.into_iter().all(|b| b)))
        }
        (Op::Or, all) => {
            let truths: Option<Vec<bool>> = all.iter().map(|v| v.as_bool()).collect();
            Some(Value::Bool(truths?.into_iter().any(|b| b)))
        }
        (Op::Eq, [a, b]) => Some(Value::Bool(a == b)),
        (Op::Ite, [condition, a, b]) => Some(if condition.as_bool()? { *a } else { *b }),
        _ => None,
    }
}

fn unary(op: Op, a: BitVec) -> Option<Value> {
    let bits = match op {
        Op::BvNot => a.not(),
        Op::BvNeg => a.neg(),
        Op::Extract { high, low } => a.extract(high, low),
        Op::ZeroExtend(by) => a.zero_extend(by),
        Op::SignExtend(by) => a.sign_extend(by),
        _ => return None,
    };
    Some(Value::BitVec(bits))
}

fn binary(op: Op, a: BitVec, b: BitVec) -> Option<Value> {
    let bits = match op {
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::BvAdd => a.add(b),
        Op::BvSub => a.sub(b),
        Op::BvMul => a.mul(b),
        Op::BvUdiv => a.udiv(b),
        Op::BvUrem => a.urem(b),
        Op::BvSdiv => a.sdiv(b),
        Op::BvSrem => a.srem(b),
        Op::BvShl => a.shl(b),
        Op::BvLshr => a.lshr(b),
        Op::BvAshr => a.ashr(b),
        Op::Concat => a.concat(b),
        Op::BvUlt => return Some(Value::Bool(a.unsigned() < b.unsigned())),
        Op::BvUle => return Some(Value::Bool(a.unsigned() <= b.unsigned())),
        Op::BvSlt => return Some(Value::Bool(a.signed() < b.signed())),
        Op::BvSle => return Some(Value::Bool(a.signed() <= b.signed())),
        Op::BvUmulo => return Some(Value::Bool(a.umul_overflows(b))),
        Op::BvSmulo => return Some(Value::Bool(a.smul_overflows(b))),
        _ => return None,
    };
    Some(Value::BitVec(bits))
}
