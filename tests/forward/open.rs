//! Bytes that C leaves open are held against the invariants as every number that they may be.

use crate::program::{load, untimed};
use cellog::concrete::{Defaults, Limits, Machine, Observer, Prepared};
use cellog::engines::forward::{ForwardResult, Options, analyze};
use cellog::ir::{BlockId, FuncId, Program};
use cellog::memory::Memory;

/// A loop beside a record with padding at bytes 1 to 3.
fn program(initializer: &str) -> Program {
    let text = format!(
        "static struct gap {{ char first; int second; }} gap{initializer};
        int main(void) {{
            int n = 0;
            while (n < 3)
                n++;
            return gap.first;
        }}"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, text).expect("a file");
    load(&[file], &[])
}

struct Watch<'p> {
    result: &'p ForwardResult,
    program: &'p Program,
    outside: Vec<String>,
    compared: u64,
}

impl Observer for Watch<'_> {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        match self.result.contains(self.program, machine, function, block) {
            Ok(compared) => self.compared += u64::from(compared),
            Err(what) => self.outside.push(what),
        }
    }
}

/// What lies outside of the invariants of one program where the other runs, which differs in the initializer alone.
fn outside(analysed: &str, runs: &str) -> Vec<String> {
    let (analysed, runs) = (program(analysed), program(runs));
    let main = analysed.function_named("main").expect("there is a main");
    let options = Options { keep_invariants: true, ..untimed() };
    let result = analyze(&analysed, &Memory::of(&analysed), main, &options);
    let mut watch = Watch { result: &result, program: &runs, outside: Vec::new(), compared: 0 };
    Prepared::new(&runs).run(main, &mut Defaults, &Limits::default(), &mut watch);
    assert!(watch.compared + watch.outside.len() as u64 > 3, "the loop was not compared");
    watch.outside
}

#[test]
fn who_takes_padding_for_zero_is_told() {
    assert_eq!(outside(" = {0}", " = {0}"), [""; 0]);
    assert_eq!(outside("", ""), [""; 0]);
    assert_eq!(outside(" = {0}", ""), [""; 0]);
    let told = outside("", " = {0}");
    assert!(!told.is_empty() && told.iter().all(|t| t.contains("gap+1 is Open")), "{told:?}");
}
