//! C texts to programs.

use cellog::base::SourceMap;
use cellog::frontend::lower::{ErrorLabel, LowerOptions, lower};
use cellog::frontend::parse::parse_units;
use cellog::frontend::preprocess::PreprocessedUnit;
use cellog::ir::{DataModel, FuncId, Program};

/// What the texts of tests begin with.
const PRELUDE: &str = "\
void reach_error(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
long long __VERIFIER_nondet_longlong(void);
void __VERIFIER_assume(int);
void *malloc(unsigned long);
void free(void *);
static void check(int holds) { if (!holds) reach_error(); }
";

/// The linked program of a text, and its `main`.
pub fn program(source: &str) -> (Program, FuncId) {
    let text = format!("{PRELUDE}{source}").into_bytes();
    let unit = PreprocessedUnit { file: "a.c".into(), text, diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let lowering = LowerOptions { error_label: ErrorLabel::Everywhere, ..LowerOptions::default() };
    let program = lower(&parsed, DataModel::Lp64, sources, lowering);
    assert!(program.unsupported.is_empty() && program.diagnostics.is_empty(), "{:?}\n{source}", program.diagnostics);
    let main = program.function_named("main").expect("there is a main");
    (program, main)
}
