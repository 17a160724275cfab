//! Programs from text, what the search finds in them, and the box around it.

use crate::base::SourceMap;
use crate::concrete::{Arguments, InputValue, Reading};
use crate::concrete::{Defaults, InputPlace, InputSource, InputType, Limits, Prepared, ScalarRequest};
use crate::engines::backward::{Outcome, Proved, Range, preconditions};
use crate::engines::limits::{BoxLimits, RunLimits};
use crate::engines::search::random::Random;
use crate::engines::search::{SearchOptions, search};
use crate::engines::task::Budget;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{CheckKind, DataModel, FuncId, Program, SiteId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Declarations that programs may use.
const HEADER: &str = "typedef unsigned long size_t; int rand(void); void *malloc(size_t); void free(void *);
    size_t strlen(const char *); char *strcpy(char *, const char *); void *memcpy(void *, const void *, size_t);
    void *memset(void *, int, size_t); void *memmove(void *, const void *, size_t); char *fgets(char *, int, void *); int printf(const char *, ...); int getchar(void);
    int abs(int); void *realloc(void *, size_t); void *calloc(size_t, size_t); int memcmp(const void *, const void *, size_t);
    int strcmp(const char *, const char *); int isdigit(int); int toupper(int); int atoi(const char *); void abort(void);
    char *strchr(const char *, int); char *strrchr(const char *, int); void *memchr(const void *, int, size_t);
    long strtol(const char *, char **, int); int snprintf(char *, size_t, const char *, ...); int sprintf(char *, const char *, ...);
    extern void *stdin; typedef int wchar_t; int swprintf(wchar_t *, size_t, const wchar_t *, ...); size_t wcslen(const wchar_t *);
    int wcscmp(const wchar_t *, const wchar_t *); int wcsncmp(const wchar_t *, const wchar_t *, size_t);
    int wmemcmp(const wchar_t *, const wchar_t *, size_t); wchar_t *wcschr(const wchar_t *, wchar_t);
    wchar_t *wcsrchr(const wchar_t *, wchar_t); wchar_t *wmemchr(const wchar_t *, wchar_t, size_t);
    wchar_t *wcscpy(wchar_t *, const wchar_t *); wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t);
    wchar_t *wcscat(wchar_t *, const wchar_t *); wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t);
    wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t); wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t);
    wchar_t *wmemset(wchar_t *, wchar_t, size_t); wchar_t *fgetws(wchar_t *, int, void *);
    size_t fread(void *, size_t, size_t, void *); long read(int, void *, size_t); long recv(int, void *, size_t, int);
    char *getenv(const char *); void *alloca(size_t);\n";

/// The program and its function `f`.
pub fn program(source: &str) -> (Program, FuncId) {
    let text = format!("{HEADER}{source}").into_bytes();
    let unit = PreprocessedUnit { file: "a.c".into(), text, diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let program = lower(&parsed, DataModel::Lp64, sources, LowerOptions::default());
    assert!(program.diagnostics.is_empty(), "{source}: {:?}", program.diagnostics);
    let entry = program.function_named("f").expect("there is an f");
    (program, entry)
}

pub fn options(patience: u32) -> SearchOptions {
    SearchOptions {
        checks: CheckKind::ALL.iter().copied().filter(|k| k.by_default()).collect(),
        unwritten: false,
        leaps: false,
        lost: false,
        seed: 0,
        statements: 3_000_000,
        patience,
        directed: 0,
        patience_for_goals: 0,
        extents: Arc::default(),
        one: false,
        questions: 0,
        budget: Budget::of(Duration::from_secs(3600)),
        open: Arc::default(),
        exchange: None,
        entered: Arc::default(),
        runs: RunLimits::default(),
        boxes: BoxLimits::default(),
    }
}

/// What became of every finding.
pub fn outcomes(program: &Program, entry: FuncId, patience: u32) -> BTreeMap<SiteId, Outcome> {
    let options = options(patience);
    let found = search(program, entry, &options).found;
    preconditions(program, entry, &options, &found, |_| true, &options.budget).0
}

/// The boxes in words: the check, then the inputs in the order of their places.
pub fn boxes(source: &str) -> Vec<String> {
    let (program, entry) = program(source);
    let outcomes = outcomes(&program, entry, 2000);
    outcomes.iter().map(|(site, outcome)| format!("{}:{}", program.sites[*site].kind.name(), words(outcome))).collect()
}

fn words(outcome: &Outcome) -> String {
    let Outcome::Proved(proved) = outcome else { return format!(" {outcome}") };
    let range = |range: &Range| match range {
        Range::Int { any: true, .. } => " any".to_owned(),
        Range::Int { low, high, .. } => format!(" [{low}, {high}]"),
        Range::Bytes { low, high } => low.iter().zip(high).map(|(l, h)| format!(" {l}-{h}")).collect(),
    };
    proved.ranges.values().map(range).collect()
}

/// The inputs of one point of a box; where it says nothing, any numbers, and allocations that succeed.
pub struct Point<'a> {
    pub values: &'a BTreeMap<(InputPlace, u32), InputValue>,
    pub others: Random,
}

impl InputSource for Point<'_> {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        match (self.values.get(&(request.place, request.occurrence)), request.ty) {
            (Some(v @ InputValue::Int(_)), InputType::Int(_)) => v.clone(),
            (None, InputType::Int(_)) => InputValue::Int(self.others.between(request.low, request.high)),
            _ => Defaults.scalar(request),
        }
    }
    fn bytes(&mut self, place: InputPlace, occurrence: u32, _: usize, _: Option<Reading>) -> Vec<u8> {
        match self.values.get(&(place, occurrence)) {
            Some(InputValue::Bytes(bytes)) => bytes.clone(),
            _ => Vec::new(),
        }
    }
    fn fails(&mut self, place: InputPlace, occurrence: u32) -> bool {
        self.values.get(&(place, occurrence)) == Some(&InputValue::Int(1))
    }
    fn arguments(&mut self, place: InputPlace, occurrence: u32) -> Arguments {
        Defaults.arguments(place, occurrence)
    }
}

/// Points of a box: every one where an input has at most `most` values, else its ends, those next to them and some between.
pub fn points(proved: &Proved, most: i128) -> Vec<BTreeMap<(InputPlace, u32), InputValue>> {
    let mut all = vec![BTreeMap::new()];
    for (key, range) in &proved.ranges {
        let values: Vec<InputValue> = match range {
            Range::Int { low, high, .. } => samples(*low, *high, most).into_iter().map(InputValue::Int).collect(),
            Range::Bytes { low, high } => {
                let middle = low.iter().zip(high).map(|(l, h)| l + (h - l) / 2).collect();
                vec![InputValue::Bytes(low.clone()), InputValue::Bytes(high.clone()), InputValue::Bytes(middle)]
            }
        };
        all = all
            .iter()
            .flat_map(|point| {
                values.iter().map(|value| {
                    let mut point = point.clone();
                    point.insert(*key, value.clone());
                    point
                })
            })
            .collect();
    }
    all
}

fn samples(low: i128, high: i128, most: i128) -> Vec<i128> {
    if high - low < most {
        return (low..=high).collect();
    }
    let step = (high - low) / 5;
    let mut all = vec![low, low + 1, high - 1, high];
    all.extend((1..5).map(|i| low + i * step));
    all.extend([-1, 0, 1].into_iter().filter(|v| (low..=high).contains(v)));
    all
}

/// Runs points of every box; the number of points. Panics at one that does not err at its site.
pub fn check_points(
    source: &str,
    program: &Program,
    entry: FuncId,
    outcomes: &BTreeMap<SiteId, Outcome>,
    most: i128,
) -> usize {
    let prepared = Prepared::new(program);
    let mut count = 0;
    for (site, outcome) in outcomes {
        assert!(!matches!(outcome, Outcome::Unproved(_)), "{source}\n{outcome}");
        let Outcome::Proved(proved) = outcome else { continue };
        for point in points(proved, most) {
            let run =
                prepared.run(entry, &mut Point { values: &point, others: Random::new(0) }, &Limits::default(), &mut ());
            let erred = run.error() == Some(*site) || run.continued.contains(site);
            assert!(erred, "{source}\n{point:?} of {proved:?} ends {:?}", run.outcome);
            count += 1;
        }
    }
    count
}
