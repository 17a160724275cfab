//! What the columns of a relation hold, by the names of their declared types.
use crate::datalog::language::ast::Program;
use crate::datalog::language::resolve::Scope;

/// A column of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnType {
    pub name: String,
    /// The declared type, then what it is a subtype of, up to the base type; a record type alone.
    pub types: Vec<String>,
}

impl ColumnType {
    /// Is it of the type called `name` or a subtype of it?
    pub fn is(&self, name: &str) -> bool {
        self.types.iter().any(|own| own == name)
    }
}

/// The columns of the relation called `name`; None if there is no such relation.
pub fn columns(program: &Program, scope: &Scope, name: &str) -> Option<Vec<ColumnType>> {
    let relation = &scope.relations[scope.relation_named(name)?];
    let names = program.relations[relation.declared].columns.iter().map(|column| column.name.text.clone());
    let types = relation.columns.iter().map(|id| {
        let chain = std::iter::successors(Some(*id), |id| scope.types[id.0].parent);
        chain.map(|id| scope.types[id.0].name.clone()).collect()
    });
    Some(names.zip(types).map(|(name, types)| ColumnType { name, types }).collect())
}
