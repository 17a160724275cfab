//! From a run of the interpreter to the evidence of a definite verdict.

use crate::base::Span;
use crate::concrete::{Event, InputPlace, InputRecord, InputValue as Given, Run, Unwritten};
use crate::engines::backward::{Proved, Range};
use crate::engines::search::Found;
use crate::frontend::models::is_text;
use crate::ir::{FuncId, Program};
use crate::verdict::message::error_phrase;
use crate::verdict::{Erring, Failure, InputBox, InputValue, Location, StepKind, TraceStep, locate};

/// What a step says of a condition that does not hold.
pub const BRANCH_FALSE: &str = "what starts here is false";

/// What a failing run proves: precondition and trace, or why nothing.
/// `proved`: the box around its inputs.
pub fn erring(program: &Program, entry: FuncId, found: &Found, proved: Option<&Proved>) -> Erring {
    match &found.doubt {
        None => Erring::Certain(failure(program, entry, &found.run, proved)),
        Some(doubt) => Erring::Doubtful(format!("a run errs here, but {doubt}")),
    }
}

fn failure(program: &Program, entry: FuncId, run: &Run, proved: Option<&Proved>) -> Failure {
    Failure {
        entry: program.functions[entry].name.clone(),
        precondition: run.inputs.iter().flat_map(|record| wide_boxes(program, record, proved)).collect(),
        trace: trace(program, run),
        replayed: true,
        paths: proved.map_or(0, |p| p.paths),
        past: run.passed.clone(),
    }
}

/// What a run was given, input by input.
pub fn given(program: &Program, run: &Run) -> Vec<InputBox> {
    run.inputs.iter().flat_map(|record| boxes(program, record)).collect()
}

/// An input's name in C terms and where it enters.
fn source(program: &Program, place: InputPlace) -> (String, Location) {
    let at = |span: Span| locate(program, span);
    match place {
        InputPlace::Site(input) => {
            let site = &program.inputs[input];
            (site.name.clone(), at(site.span))
        }
        InputPlace::Parameter(function, number)
        | InputPlace::Behind(function, number)
        | InputPlace::Counted(function, number) => {
            let function = &program.functions[function];
            let name = function.params.get(number as usize).map_or("", |v| program.variables[*v].name.as_str());
            let parameter = format!("parameter {name} of {}", function.name);
            let input = match place {
                InputPlace::Behind(..) => format!("what {parameter} points to"),
                InputPlace::Counted(..) => format!("all that {parameter} points to"),
                _ => parameter,
            };
            (input, at(function.span))
        }
        InputPlace::Returned(function) => {
            let function = &program.functions[function];
            (format!("{}()", function.name), at(function.span))
        }
        InputPlace::External(variable, offset) | InputPlace::Unwritten(Unwritten::Variable(variable), offset) => {
            let variable = &program.variables[variable];
            let name = match offset {
                0 => format!("initial value of {}", variable.name),
                n => format!("initial value of {} at byte {n}", variable.name),
            };
            (name, at(variable.span))
        }
        InputPlace::Unwritten(Unwritten::Block(alloc), offset) => {
            (format!("initial content of a block at byte {offset}"), at(program.allocs[alloc].span))
        }
    }
}

/// The boxes of one consumed input, as wide as they are proved.
fn wide_boxes(program: &Program, record: &InputRecord, proved: Option<&Proved>) -> Vec<InputBox> {
    let mut boxes = boxes(program, record);
    if let (Some(range), [one]) =
        (proved.and_then(|p| p.ranges.get(&(record.place, record.occurrence))), &mut boxes[..])
    {
        let point = one.value.clone();
        match range {
            Range::Int { low, high, any } => {
                one.value = InputValue::Int { low: *low, high: *high };
                one.any = *any;
            }
            Range::Bytes { low, high } => {
                if low != high {
                    one.value = InputValue::ByteRanges { low: low.clone(), high: high.clone() };
                }
                // How many bytes there are matters where they are counted, whatever they are.
                one.any = one.value.is_free() && !matches!(record.place, InputPlace::Counted(..));
            }
        }
        one.point = (one.value != point).then_some(point);
    }
    boxes
}

/// The boxes of one consumed input; one each for the program's arguments.
fn boxes(program: &Program, record: &InputRecord) -> Vec<InputBox> {
    let (input, location) = source(program, record.place);
    let one = |input: String, value| InputBox {
        input,
        location: location.clone(),
        occurrence: record.occurrence + 1,
        value,
        point: None,
        any: false,
    };
    let int = |v: i128| InputValue::Int { low: v, high: v };
    match &record.value {
        Given::Int(v) => vec![one(input, int(*v))],
        Given::Float(v) => vec![one(input, InputValue::Float { low: *v, high: *v })],
        Given::Bytes(bytes) => vec![one(input, InputValue::Bytes(bytes.clone()))],
        Given::Fails(fails) => vec![one(input, int(i128::from(*fails)))],
        Given::Arguments(arguments) => {
            let list = |name: &'static str, strings: &[Vec<u8>]| -> Vec<InputBox> {
                let item = |(i, s): (usize, &Vec<u8>)| one(format!("{name}[{i}]"), InputValue::Bytes(s.clone()));
                strings.iter().enumerate().map(item).collect()
            };
            let mut all = vec![one("argc".to_owned(), int(arguments.argv.len() as i128))];
            all.extend(list("argv", &arguments.argv));
            all.extend(list("envp", &arguments.envp));
            all
        }
    }
}

/// The run's last steps, repetitions of one branch in a row told once.
pub fn trace(program: &Program, run: &Run) -> Vec<TraceStep> {
    let mut steps: Vec<TraceStep> = Vec::new();
    if run.trace.dropped > 0 {
        let location = Location { file: "<run>".to_owned(), line: 0, column: 0 };
        let text = format!("{} earlier steps are left out", run.trace.dropped);
        steps.push(TraceStep { location, kind: StepKind::Omission, text });
    }
    for step in run.trace.steps() {
        let (kind, text) = match step.event {
            // The operand of a `!` is what is tested, not the whole condition.
            Event::Branch(true) => (StepKind::Branch, "what starts here is true".to_owned()),
            Event::Branch(false) => (StepKind::Branch, BRANCH_FALSE.to_owned()),
            Event::Switch(value) => (StepKind::Branch, format!("switch on {value}")),
            Event::Call(f) => (StepKind::Call, format!("{} is called", program.functions[f].name)),
            Event::Return(f) => (StepKind::Return, format!("{} returns", program.functions[f].name)),
            Event::Input(number) => match run.inputs.get(number as usize) {
                Some(record) => {
                    let first = boxes(program, record).into_iter().next();
                    (StepKind::Input, first.map_or_else(String::new, |b| b.event()))
                }
                None => continue,
            },
            Event::Failed(site) => {
                let site = &program.sites[site];
                (StepKind::Error, format!("{}: {}", error_phrase(site.kind), site.subject))
            }
        };
        let step = TraceStep { location: locate(program, step.span), kind, text };
        if is_text(&step.location.file) {
            continue;
        }
        if steps.last() != Some(&step) {
            steps.push(step);
        }
    }
    steps
}
