//! The C programs of `tests/c/points_to`, held against what their comments say:
//! `// POINTS-TO: main::p -> {x, pair+8}`, `// CALLS: f -> {g}`, `// MAY-WRITE: f -> {x}`, `// LOOP-MAY-WRITE: f -> {x}` (the first
//! loop of `f`), `// RECURSIVE: f`, `// NOT-RECURSIVE: f`, `// ESCAPES: f::x`, `// STAYS: f::x`.

use super::{LocationSet, Memory, PointsTo, Targets};
use crate::base::SourceMap;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::{PreprocessOptions, UnitSource, preprocess_units};
use crate::ir::{Cfg, DataModel, Expr, FuncId, Place, Program, VarId, validate};
use std::path::{Path, PathBuf};

fn load(path: &Path) -> Program {
    let model = DataModel::Lp64;
    let units = [UnitSource::new(path.display().to_string())];
    let texts = preprocess_units(&units, &PreprocessOptions::new(model), 1);
    let texts: Vec<_> = texts.into_iter().map(|t| t.expect("the program is preprocessed")).collect();
    let mut sources = SourceMap::default();
    let parsed = parse_units(&texts, 1, &mut sources);
    let program = lower(&parsed, model, sources, LowerOptions::default());
    let violations: Vec<String> = validate(&program).iter().map(|v| v.to_string()).collect();
    assert!(violations.is_empty(), "{}: {violations:#?}", path.display());
    program
}

struct Subject {
    program: Program,
    memory: Memory,
}

impl Subject {
    fn points_to(&self) -> &PointsTo {
        self.memory.points_to.as_ref().expect("the rules end")
    }
    fn variable(&self, name: &str) -> VarId {
        let named = |v: &VarId| self.points_to().variable_name(*v) == name;
        self.program.variables.indices().find(named).unwrap_or_else(|| panic!("there is no variable {name}"))
    }
    fn function(&self, name: &str) -> FuncId {
        self.program.function_named(name).unwrap_or_else(|| panic!("there is no function {name}"))
    }
    fn show(&self, set: LocationSet<'_>) -> String {
        let mut words: Vec<String> = set.iter().map(|l| self.points_to().describe(&self.program, l)).collect();
        words.sort();
        words.dedup();
        format!("{{{}}}", words.join(", "))
    }
    fn show_bases(&self, set: LocationSet<'_>) -> String {
        let mut words: Vec<String> =
            set.bases().into_iter().map(|b| self.points_to().describe_base(&self.program, b)).collect();
        words.sort();
        format!("{{{}}}", words.join(", "))
    }

    /// What the relations say to the claim `kind: subject`.
    fn answer(&self, kind: &str, subject: &str) -> String {
        match kind {
            "POINTS-TO" => {
                let v = self.variable(subject);
                let load = Expr::load(Place::var(v, self.program.variables[v].ty));
                match self.points_to().targets(&self.program, &load) {
                    Targets::In(set) => self.show(set),
                    Targets::Anywhere => "anywhere".to_owned(),
                }
            }
            "CALLS" => {
                let caller = self.function(subject);
                let calls = self.program.calls.iter_enumerated().filter(|(_, c)| c.function == caller);
                let callees = calls.flat_map(|(c, _)| self.points_to().callees(c));
                let mut names: Vec<&str> = callees.map(|f| self.program.functions[*f].name.as_str()).collect();
                names.sort_unstable();
                names.dedup();
                format!("{{{}}}", names.join(", "))
            }
            "MAY-WRITE" => self.show_bases(self.points_to().may_write(self.function(subject))),
            "LOOP-MAY-WRITE" => {
                let f = self.function(subject);
                let cfg = Cfg::of(&self.program.functions[f]);
                let first = cfg.loops().iter().next().expect("the function has a loop");
                self.show_bases(self.points_to().loop_may_write(f, first.header))
            }
            "RECURSIVE" => self.points_to().is_recursive(self.function(subject)).to_string(),
            "NOT-RECURSIVE" => (!self.points_to().is_recursive(self.function(subject))).to_string(),
            "ESCAPES" => self.points_to().address_escapes(self.variable(subject)).to_string(),
            "STAYS" => (!self.points_to().address_escapes(self.variable(subject))).to_string(),
            other => panic!("no claim is called {other}"),
        }
    }
}

/// Lines of `path` where the relations say something else than the comment.
fn disagreements(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the program is there");
    let program = load(path);
    let memory = Memory::of(&program);
    let subject = Subject { program, memory };
    let mut wrong = Vec::new();
    let mut claims = 0;
    for (number, line) in text.lines().enumerate() {
        let Some((_, claim)) = line.split_once("// ") else { continue };
        let (kind, rest) = claim.split_once(": ").expect("a claim has a subject");
        let (name, wanted) = rest.trim().split_once(" -> ").unwrap_or((rest.trim(), "true"));
        let found = subject.answer(kind, name);
        claims += 1;
        if found != wanted {
            wrong.push(format!("{}:{}: {kind}: {name} -> {found}, wanted {wanted}", path.display(), number + 1));
        }
    }
    assert!(claims > 0, "{} claims nothing", path.display());
    wrong
}

#[test]
fn annotated_programs_have_the_relations_that_they_claim() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/points_to");
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() >= 20);
    let wrong: Vec<String> = paths.iter().flat_map(|p| disagreements(p)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn assertions_hold_on_annotated_programs() {
    for name in ["record_copy.c", "variadic.c", "unknown_function.c", "reallocated.c", "function_pointers.c"] {
        let program = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/points_to").join(name));
        let facts = crate::facts::emit(&program).facts;
        assert_eq!(super::case_tests::broken_assertions(&facts), [""; 0], "{name}");
    }
}
