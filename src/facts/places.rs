//! Where in the source the things stand that facts name.
use super::{FactStore, Sym};
use rustc_hash::FxHashMap;

/// A place in the source; lines and columns count from 1, and 0 means not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: Sym,
    pub line: i64,
    pub column: i64,
}

/// The places of a program's functions, variables, blocks, statements, calls, allocations, inputs and check sites.
#[derive(Clone, Debug, Default)]
pub struct Places {
    by_type: Vec<(&'static str, FxHashMap<Sym, Place>)>,
    /// By name: what stands in which function, as far as facts say.
    functions: FxHashMap<Sym, Sym>,
}

impl Places {
    /// As the position facts say.
    pub fn of(facts: &FactStore) -> Places {
        let mut all = Places::default();
        macro_rules! positions {
            ($type:literal, $relation:ident, $field:ident) => {
                let rows = facts.$relation.iter();
                let place = rows.map(|r| (r.$field.0, Place { file: r.file.0, line: r.line, column: r.column }));
                all.by_type.push(($type, place.collect()));
            };
        }
        positions!("Statement", statement_position, statement);
        positions!("Function", function_position, function);
        positions!("Variable", variable_position, variable);
        positions!("CheckSite", check_position, site);
        all.of_statements(facts);
        all
    }

    /// What stands where its statement stands.
    fn of_statements(&mut self, facts: &FactStore) {
        let statements = self.by_type[0].1.clone();
        let mut through = |type_name, pairs: Vec<(Sym, Sym)>| {
            let found = pairs.into_iter().filter_map(|(name, s)| Some((name, *statements.get(&s)?)));
            // Of a block, the first statement.
            let mut places = FxHashMap::default();
            found.for_each(|(name, place)| {
                places.entry(name).or_insert(place);
            });
            self.by_type.push((type_name, places));
        };
        through("Call", facts.call.iter().map(|r| (r.call.0, r.statement.0)).collect());
        through("Allocation", facts.allocation.iter().map(|r| (r.allocation.0, r.statement.0)).collect());
        through("Input", facts.input_site.iter().map(|r| (r.source.0, r.statement.0)).collect());
        let mut blocks: Vec<_> = facts.block_statement.iter().collect();
        blocks.sort_by_key(|r| r.index);
        through("Block", blocks.into_iter().map(|r| (r.block.0, r.statement.0)).collect());
        self.functions.extend(facts.check_site.iter().map(|r| (r.site.0, r.function.0)));
        self.functions.extend(facts.call.iter().map(|r| (r.call.0, r.function.0)));
        self.functions.extend(facts.allocation.iter().map(|r| (r.allocation.0, r.function.0)));
        self.functions.extend(facts.input_site.iter().map(|r| (r.source.0, r.function.0)));
        self.functions.extend(facts.owned_variable.iter().map(|r| (r.variable.0, r.function.0)));
        self.functions.extend(facts.function.iter().map(|r| (r.function.0, r.function.0)));
        let of_block: FxHashMap<Sym, Sym> = facts.block.iter().map(|r| (r.block.0, r.function.0)).collect();
        let in_blocks = facts.block_statement.iter().filter_map(|r| Some((r.statement.0, *of_block.get(&r.block.0)?)));
        self.functions.extend(in_blocks);
        self.functions.extend(of_block.iter().map(|(block, function)| (*block, *function)));
    }

    /// The place of what is called `name`, a thing of the type `type_name`.
    pub fn of_type(&self, type_name: &str, name: Sym) -> Option<Place> {
        self.by_type.iter().find(|(own, _)| *own == type_name)?.1.get(&name).copied()
    }

    /// The place of what is called `name`, whatever it is.
    pub fn of_any(&self, name: Sym) -> Option<Place> {
        self.by_type.iter().find_map(|(_, places)| places.get(&name).copied())
    }

    /// The function that it stands in.
    pub fn function_of(&self, name: Sym) -> Option<Sym> {
        self.functions.get(&name).copied()
    }
}
