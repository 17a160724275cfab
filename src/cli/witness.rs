//! The witness of an answer, from the program and the input files.

use super::args::Arch;
use super::input::Loaded;
use crate::concrete::{InputPlace, InputValue};
use crate::engines::task::{Answer, Property};
use crate::verdict::locate;
use crate::verdict::witness::{Invariant, Task, Waypoint, correctness, violation};

/// The witness; None when nothing was decided.
pub fn witness(loaded: &Loaded, property: Property, arch: Arch, answer: &Answer) -> Option<String> {
    let program = &loaded.program;
    let content = |name: &String| (name.clone(), std::fs::read(name).unwrap_or_default());
    let task = Task {
        files: loaded.files.iter().map(content).collect(),
        specification: specification(property).to_owned(),
        data_model: match arch {
            Arch::Lp64 => "LP64",
            Arch::Ilp32 => "ILP32",
        },
    };
    match answer {
        Answer::True(proof) => {
            let invariant = |i: &crate::engines::task::answer::LoopInvariant| Invariant {
                location: locate(program, i.span),
                function: i.function.clone(),
                formula: i.formula.clone(),
            };
            let invariants: Vec<Invariant> =
                proof.invariants.iter().filter(|i| i.is_expression).map(invariant).collect();
            Some(correctness(&task, &invariants))
        }
        Answer::False(found) => {
            let mut way = Vec::new();
            for record in &found.run.inputs {
                if let (InputPlace::Site(input), InputValue::Int(n)) = (record.place, &record.value) {
                    let site = &program.inputs[input];
                    let function = program.functions[site.function].name.clone();
                    way.push(Waypoint {
                        location: locate(program, site.span),
                        function,
                        returned: Some(n.to_string()),
                    });
                }
            }
            let site = &program.sites[found.run.error()?];
            let function = program.functions[site.function].name.clone();
            way.push(Waypoint { location: locate(program, site.span), function, returned: None });
            Some(violation(&task, &way))
        }
        Answer::Unknown(_) => None,
    }
}

/// The property as the competition writes it.
fn specification(property: Property) -> &'static str {
    match property {
        Property::UnreachCall => "G ! call(reach_error())",
        Property::NoOverflow => "G ! overflow",
        Property::ValidMemsafety => "G valid-free, valid-deref, valid-memtrack",
        Property::Termination => "F end",
    }
}
