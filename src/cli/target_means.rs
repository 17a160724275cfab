//! How many targets a points-to result has on average, counted in two ways.
//!
//! Ours is over the values that have targets, and every place is a target. The other is as near as our relations come to
//! SVF's (`AvgPtsSetSize`: Y. Sui, J. Xue, SVF: interprocedural static value-flow analysis in LLVM; `AndersenStat::performStat`):
//! over all nodes of a graph that has values and places in memory, those without targets too, and all constant objects
//! that hold no address are one.

use crate::datalog::{Database, IdSet};
use crate::facts::{Cell, Emitted, Sym};
use crate::ir::{Program, Storage, Type, TypeId, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sizes of the sets of a result.
pub struct TargetMeans {
    /// Values with targets, and the sum of their targets.
    pub pointers: Count,
    /// All values; constants are one target.
    pub values: Count,
    /// Places in memory, with what may be read there; constants are one place and one target.
    pub places: Count,
}

/// A number of sets, and the sum of their sizes.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub sets: usize,
    pub targets: usize,
}

impl Count {
    /// 0 of no sets.
    pub fn mean(self) -> f64 {
        if self.sets == 0 { 0.0 } else { self.targets as f64 / self.sets as f64 }
    }

    /// Both counts as one.
    pub fn and(self, other: Count) -> Count {
        Count { sets: self.sets + other.sets, targets: self.targets + other.targets }
    }
}

impl TargetMeans {
    /// Counts the sets of `database`, where the memory rules ran on what `program` says; None without `points_to`.
    pub fn of(program: &Program, emitted: &Emitted, database: &Database) -> Option<TargetMeans> {
        let places = Places::of(program, emitted, database);
        let mut pointers = Count::default();
        let mut values = Count { sets: emitted.values.len(), targets: 0 };
        database.relation("points_to")?.for_each_set(&mut |_, set| {
            pointers = pointers.and(Count { sets: 1, targets: set.len() });
            values.targets += places.size(set);
        });
        Some(TargetMeans { pointers, values, places: places.count(database) })
    }
}

/// The places of a result, by their numbers.
struct Places {
    constants: IdSet,
    /// Those that are no constants, nor variables that no pointer reaches: these are values.
    others: usize,
}

impl Places {
    fn of(program: &Program, emitted: &Emitted, database: &Database) -> Places {
        let variables = program.variables.iter_enumerated();
        let constants: FxHashSet<Sym> = variables
            .filter(|(_, variable)| is_constant(program, variable))
            .map(|(id, _)| emitted.names.variable(id))
            .collect();
        let values: FxHashSet<Sym> = emitted.facts.variable_value.iter().map(|row| row.variable.0).collect();
        let (mut ids, mut others) = (Vec::new(), 0);
        for (id, fields) in (0u32..).zip(database.records("Location")) {
            match fields[0] {
                Cell::Symbol(base) if constants.contains(&base) => ids.push(id),
                Cell::Symbol(base) if values.contains(&base) => {}
                _ => others += 1,
            }
        }
        Places { constants: IdSet::from_ascending(&ids), others }
    }

    /// The size of a set of places, of which constants are one.
    fn size(&self, set: &IdSet) -> usize {
        let constants = set.intersection(&self.constants).len();
        set.len() - constants + constants.min(1)
    }

    /// All places, with what was written to each or to one that shares an offset with it.
    fn count(&self, database: &Database) -> Count {
        let mut held: FxHashMap<u32, IdSet> = FxHashMap::default();
        for relation in ["stored", "stored_across"].into_iter().filter_map(|name| database.relation(name)) {
            relation.for_each_set(&mut |key, set| {
                if let [Cell::Record(place)] = key {
                    held.entry(*place).or_default().union_with(set);
                }
            });
        }
        let targets = held.values().map(|set| self.size(set)).sum();
        Count { sets: self.others + self.constants.len().min(1), targets }
    }
}

/// A string literal, or a constant of static storage duration whose type has no pointers in it.
fn is_constant(program: &Program, variable: &Variable) -> bool {
    variable.storage == Storage::Literal
        || variable.is_static() && variable.defined && variable.is_constant() && !has_pointers(program, variable.ty)
}

fn has_pointers(program: &Program, ty: TypeId) -> bool {
    match program.types.get(ty) {
        Type::Pointer(_) => true,
        Type::Array(element, _) => has_pointers(program, *element),
        Type::Record(record) => {
            let mut fields = program.types.records[*record].layout.iter().flat_map(|layout| &layout.fields);
            fields.any(|field| has_pointers(program, field.ty))
        }
        _ => false,
    }
}
