//! The relations of a running program.
use super::database::Input;
use super::graph::{Graph, Node};
use super::history::Tick;
use super::id_set::IdSet;
use super::rows::Rows;
use super::value::{Domain, Word};
use crate::datalog::language::core::{Kind, Program, Relation, RelationId, Storage};
use crate::datalog::limits::RunError;
use crate::facts::Cell;

/// A relation's tuples.
pub struct Table {
    /// The tuples; of a set relation, the keys.
    pub rows: Rows,
    /// Of a set relation: by key, its node in the graph.
    pub nodes: Option<Vec<Node>>,
    /// Rows below were new before the current round.
    pub old: usize,
    /// Rows below are visible to the current round.
    pub visible: usize,
    /// If history is kept: how many rows there were from each moment on.
    pub counts: Vec<(Tick, usize)>,
}

/// All relations, and the graph their sets live in.
pub struct Tables {
    pub tables: Vec<Table>,
    pub graph: Graph,
    /// By node: its relation and key; a hub has none.
    pub owners: Vec<Option<(RelationId, u32)>>,
}

impl Table {
    /// No tuples.
    pub fn new(relation: &Relation) -> Table {
        let set = relation.storage == Storage::Set;
        let arity = relation.kinds.len() - usize::from(set);
        Table { rows: Rows::new(arity), nodes: set.then(Vec::new), old: 0, visible: 0, counts: Vec::new() }
    }
}

impl Tables {
    pub fn new(program: &Program) -> Tables {
        let tables = program.relations.iter().map(Table::new).collect();
        Tables { tables, graph: Graph::default(), owners: Vec::new() }
    }

    pub fn rows_mut(&mut self, relation: RelationId) -> &mut Rows {
        &mut self.tables[relation].rows
    }

    /// The node of a key, made if there is none.
    pub fn node(&mut self, relation: RelationId, key: &[Word]) -> Node {
        let table = &mut self.tables[relation];
        let (row, new) = table.rows.insert(key);
        let nodes = table.nodes.as_mut().expect("a set relation");
        if new {
            nodes.push(self.graph.add_node());
            self.owners.push(Some((relation, row)));
        }
        nodes[row as usize]
    }

    /// A node of no relation, through which sets pass.
    pub fn hub(&mut self) -> Node {
        self.owners.push(None);
        self.graph.add_node()
    }

    /// The set of a key's row.
    pub fn set(&self, relation: RelationId, row: u32) -> &IdSet {
        let nodes = self.tables[relation].nodes.as_ref().expect("a set relation");
        self.graph.full(nodes[row as usize])
    }

    /// Adds a tuple, to a set relation by the next wave. True if a row is new.
    pub fn insert(&mut self, relation: RelationId, tuple: &[Word]) -> bool {
        if self.tables[relation].nodes.is_none() {
            return self.tables[relation].rows.insert(tuple).1;
        }
        let (element, key) = tuple.split_last().expect("a set relation has columns");
        let node = self.node(relation, key);
        self.graph.add_element(node, *element);
        false
    }

    /// Notes the rows that are new since this was last called, as of now, if history is kept.
    pub fn note_rows(&mut self, relations: &[RelationId]) {
        let Some(history) = &mut self.graph.history else { return };
        let now = history.advance();
        for relation in relations {
            let table = &mut self.tables[*relation];
            table.counts.push((now, table.rows.len()));
        }
    }

    /// When the tuple, which is there, was found: later than what it was first found from, but for sets in a cycle.
    /// 0 for facts, and where no history is kept.
    pub fn found_at(&self, relation: RelationId, tuple: &[Word]) -> Tick {
        let table = &self.tables[relation];
        let key = if table.nodes.is_some() { &tuple[..tuple.len() - 1] } else { tuple };
        let (Some(history), Some(row)) = (&self.graph.history, table.rows.find(key)) else { return 0 };
        match &table.nodes {
            Some(nodes) => history.arrival(nodes[row as usize], tuple[tuple.len() - 1]),
            None => {
                let at = table.counts.partition_point(|(_, rows)| *rows <= row as usize);
                table.counts.get(at).map_or(0, |(tick, _)| *tick)
            }
        }
    }

    /// Reads the input relations of `program`.
    pub fn load(&mut self, program: &Program, domain: &mut Domain, input: &dyn Input) -> Result<(), RunError> {
        for (at, relation) in program.relations.iter().enumerate().filter(|(_, relation)| relation.input) {
            self.load_relation(at, relation, domain, input)?;
        }
        self.graph.propagate();
        self.graph.take_deltas();
        Ok(())
    }

    /// Reads one input relation; the graph is not propagated.
    pub fn load_relation(
        &mut self,
        at: RelationId,
        relation: &Relation,
        domain: &mut Domain,
        input: &dyn Input,
    ) -> Result<(), RunError> {
        let mut words = Vec::new();
        let mut fits = true;
        let known = input.for_each(&relation.name, &mut |cells| {
            fits &= cells.len() == relation.kinds.len()
                && cells.iter().zip(&relation.kinds).all(|(cell, kind)| is_of(*cell, *kind));
            if fits {
                words.clear();
                words.extend(cells.iter().map(|cell| domain.word(*cell)));
                self.insert(at, &words);
            }
        });
        if known && fits { Ok(()) } else { Err(RunError::Input { relation: relation.name.clone() }) }
    }

    /// The number of tuples.
    pub fn count(&self, relation: RelationId) -> usize {
        let table = &self.tables[relation];
        match &table.nodes {
            None => table.rows.len(),
            Some(nodes) => nodes.iter().map(|node| self.graph.full(*node).len()).sum(),
        }
    }
}

/// Input relations have no records.
fn is_of(cell: Cell, kind: Kind) -> bool {
    matches!(
        (cell, kind),
        (Cell::Symbol(_), Kind::Symbol) | (Cell::Number(_), Kind::Number) | (Cell::Unsigned(_), Kind::Unsigned)
    )
}
