//! Names in SMT-LIB text: quoted where needed, and kept apart from the standard's and from generated ones.

use super::super::op::Term;
use super::super::pool::TermPool;

/// Function symbols and words that a script of ours must not declare anew, whether quoted or not.
const TAKEN: &[&str] = &[
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "ite",
    "distinct",
    "select",
    "store",
    "const",
    "as",
    "let",
    "par",
    "exists",
    "forall",
    "match",
    "lambda",
    "concat",
    "extract",
    "repeat",
    "div",
    "mod",
    "abs",
    "divisible",
    "to_int",
    "to_real",
    "is_int",
    "int2bv",
    "bv2nat",
    "bv2int",
    "int_to_bv",
    "ubv_to_int",
    "sbv_to_int",
    "nat2bv",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "iand",
    "pow2",
    "exp",
    "sin",
    "cos",
    "tan",
    "sqrt",
    "pi",
    "Bool",
    "Int",
    "Real",
    "String",
    "Array",
    "BitVec",
    "RoundingMode",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
];

/// The symbol that stands for the variable `name`; different names get different symbols, none of them a generated one.
pub(super) fn of_variable(name: &str) -> String {
    let bare = name.trim_end_matches(' ');
    let taken = TAKEN.contains(&bare)
        || bare.starts_with("bv")
        || bare.starts_with("str.")
        || bare.starts_with("seq.")
        || bare.starts_with("set.")
        || bare.starts_with("fp")
        || bare.chars().all(|c| "+-*/<>=_!".contains(c));
    let mut symbol = String::new();
    if name.starts_with('$') {
        // One more than there is, as generated symbols start with just one.
        symbol.push('$');
    }
    symbol.push_str(name);
    if taken {
        symbol.push(' ');
    }
    if is_simple(&symbol) { symbol } else { format!("|{symbol}|") }
}

/// The generated symbol for the definition of `term`.
pub(super) fn of_definition(term: Term) -> String {
    format!("${}", term.0)
}

/// The generated symbol for the assumption of `term`.
pub(super) fn of_assumption(term: Term) -> String {
    format!("$a{}", term.0)
}

/// The symbol of a variable of `pool`.
pub(super) fn of(pool: &TermPool, variable: Term) -> String {
    of_variable(pool.name(variable).expect("only variables have names"))
}

/// Whether SMT-LIB takes the symbol without quotes. Words starting with `@` or `.` are reserved to solvers.
fn is_simple(symbol: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    symbol.chars().all(allowed) && symbol.starts_with(|c: char| !c.is_ascii_digit() && c != '@' && c != '.')
}

#[cfg(test)]
mod tests {
    use super::of_variable;

    #[test]
    fn symbols_are_quoted_where_needed_and_never_meet() {
        let names = ["x", "main::x", "3d", "$1", "$$1", "$a7", "and", "and ", "bvadd", "+", "a b", ".x", "naïve"];
        let symbols: Vec<String> = names.iter().map(|name| of_variable(name)).collect();
        assert_eq!(
            symbols,
            [
                "x",
                "|main::x|",
                "|3d|",
                "$$1",
                "$$$1",
                "$$a7",
                "|and |",
                "|and  |",
                "|bvadd |",
                "|+ |",
                "|a b|",
                "|.x|",
                "|naïve|"
            ]
        );
    }
}
