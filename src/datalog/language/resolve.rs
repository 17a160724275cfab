//! Declarations: what every type and relation name stands for.
use super::ast::{Column, Name, Program, Storage, TypeBody};
use super::error::{TypeError, closest};
use std::collections::BTreeMap;

/// Wider relations are refused.
pub const MOST_COLUMNS: usize = 24;

/// Index into [`Scope::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub usize);

impl TypeId {
    pub const SYMBOL: TypeId = TypeId(0);
    pub const NUMBER: TypeId = TypeId(1);
    pub const UNSIGNED: TypeId = TypeId(2);
    /// Stands for a type that could not be resolved; agrees with everything, so that one mistake is reported once.
    pub const UNKNOWN: TypeId = TypeId(3);
}

/// What values of a type are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Symbol,
    Number,
    Unsigned,
    /// A record of this declared type.
    Record(TypeId),
    Unknown,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub name: String,
    pub parent: Option<TypeId>,
    pub kind: Kind,
    /// Of records.
    pub fields: Vec<(String, TypeId)>,
    /// Index into [`Program::types`]; none for base types.
    pub declared: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Relation {
    pub name: String,
    pub columns: Vec<TypeId>,
    pub storage: Storage,
    pub input: bool,
    pub output: bool,
    /// Index into [`Program::relations`].
    pub declared: usize,
}

/// All names of a program.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub types: Vec<Type>,
    pub relations: Vec<Relation>,
    type_names: BTreeMap<String, TypeId>,
    relation_names: BTreeMap<String, usize>,
}

impl Scope {
    /// Resolves the declarations of `program`.
    pub fn of(program: &Program) -> (Scope, Vec<TypeError>) {
        let mut scope = Scope::default();
        let mut errors = Vec::new();
        for (name, kind) in
            [("symbol", Kind::Symbol), ("number", Kind::Number), ("unsigned", Kind::Unsigned), ("?", Kind::Unknown)]
        {
            let id = TypeId(scope.types.len());
            scope.types.push(Type { name: name.to_owned(), parent: None, kind, fields: Vec::new(), declared: None });
            if kind != Kind::Unknown {
                scope.type_names.insert(name.to_owned(), id);
            }
        }
        scope.declare_types(program, &mut errors);
        scope.declare_relations(program, &mut errors);
        (scope, errors)
    }

    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        self.type_names.get(name).copied()
    }

    /// The index into [`Scope::relations`].
    pub fn relation_named(&self, name: &str) -> Option<usize> {
        self.relation_names.get(name).copied()
    }

    pub fn kind(&self, id: TypeId) -> Kind {
        self.types[id.0].kind
    }

    /// Is every value of `lower` one of `upper`?
    pub fn is_subtype(&self, lower: TypeId, upper: TypeId) -> bool {
        let mut at = Some(lower);
        while let Some(id) = at {
            if id == upper || id == TypeId::UNKNOWN || upper == TypeId::UNKNOWN {
                return true;
            }
            at = self.types[id.0].parent;
        }
        false
    }

    /// The type a name stands for; an unknown one is reported and becomes [`TypeId::UNKNOWN`].
    pub fn resolve_type(&self, name: &Name, errors: &mut Vec<TypeError>) -> TypeId {
        self.type_named(&name.text).unwrap_or_else(|| {
            let suggestion = closest(&name.text, self.type_names.keys().map(String::as_str));
            errors.push(TypeError::UnknownType { name: name.text.clone(), suggestion, span: name.span });
            TypeId::UNKNOWN
        })
    }

    /// The relation a name stands for; an unknown one is reported.
    pub fn resolve_relation(&self, name: &Name, errors: &mut Vec<TypeError>) -> Option<&Relation> {
        let found = self.relation_named(&name.text).map(|index| &self.relations[index]);
        if found.is_none() {
            let suggestion = closest(&name.text, self.relation_names.keys().map(String::as_str));
            errors.push(TypeError::UnknownRelation { name: name.text.clone(), suggestion, span: name.span });
        }
        found
    }

    fn declare_types(&mut self, program: &Program, errors: &mut Vec<TypeError>) {
        for (index, decl) in program.types.iter().enumerate() {
            let Name { text: name, span } = decl.name.clone();
            if let Some(first) = self.type_named(&name) {
                errors.push(match self.types[first.0].declared {
                    Some(first) => TypeError::DuplicateType { name, span, first: program.types[first].name.span },
                    None => TypeError::RedeclaredBase { name, span },
                });
                continue;
            }
            let id = TypeId(self.types.len());
            let kind = if matches!(decl.body, TypeBody::Record(_)) { Kind::Record(id) } else { Kind::Unknown };
            self.types.push(Type { name: name.clone(), parent: None, kind, fields: Vec::new(), declared: Some(index) });
            self.type_names.insert(name, id);
        }
        for at in TypeId::UNKNOWN.0 + 1..self.types.len() {
            let Some(declared) = self.types[at].declared else { continue };
            match &program.types[declared].body {
                TypeBody::Subtype(parent) => {
                    let id = self.resolve_type(parent, errors);
                    if matches!(self.kind(id), Kind::Record(_)) {
                        errors.push(TypeError::SubtypeOfRecord { name: parent.text.clone(), span: parent.span });
                    } else {
                        self.types[at].parent = Some(id);
                    }
                }
                TypeBody::Record(fields) => self.types[at].fields = self.columns(fields, errors),
            }
        }
        for at in TypeId::UNKNOWN.0 + 1..self.types.len() {
            if !matches!(self.types[at].kind, Kind::Record(_)) {
                self.types[at].kind = self.inherited_kind(TypeId(at), program, errors);
            }
        }
    }

    /// Follows parents to a base type; a cycle is reported at each of its members and cut.
    fn inherited_kind(&mut self, id: TypeId, program: &Program, errors: &mut Vec<TypeError>) -> Kind {
        let mut at = id;
        for _ in 0..=self.types.len() {
            match self.types[at.0].parent {
                Some(parent) => at = parent,
                None => return self.types[at.0].kind,
            }
        }
        if let Some(declared) = self.types[id.0].declared {
            let Name { text: name, span } = program.types[declared].name.clone();
            errors.push(TypeError::CyclicType { name, span });
        }
        self.types[id.0].parent = Some(TypeId::UNKNOWN);
        Kind::Unknown
    }

    fn columns(&self, columns: &[Column], errors: &mut Vec<TypeError>) -> Vec<(String, TypeId)> {
        let mut resolved: Vec<(String, TypeId)> = Vec::new();
        for column in columns {
            let Name { text: name, span } = column.name.clone();
            let id = self.resolve_type(&column.type_name, errors);
            if resolved.iter().any(|(other, _)| *other == name) {
                errors.push(TypeError::DuplicateColumn { name: name.clone(), span });
            }
            resolved.push((name, id));
        }
        resolved
    }

    fn declare_relations(&mut self, program: &Program, errors: &mut Vec<TypeError>) {
        for (declared, decl) in program.relations.iter().enumerate() {
            let Name { text: name, span } = decl.name.clone();
            if let Some(first) = self.relation_named(&name) {
                let first = program.relations[self.relations[first].declared].name.span;
                errors.push(TypeError::DuplicateRelation { name, span, first });
                continue;
            }
            let columns: Vec<TypeId> = self.columns(&decl.columns, errors).into_iter().map(|(_, id)| id).collect();
            if columns.len() > MOST_COLUMNS {
                errors.push(TypeError::TooManyColumns { name: name.clone(), limit: MOST_COLUMNS, span });
            }
            if decl.storage == Storage::Set {
                if columns.len() < 2 {
                    errors.push(TypeError::StoredArity { name: name.clone(), span });
                } else if let Some(last) = columns.last().filter(|last| self.kind(**last) == Kind::Number) {
                    let found = self.types[last.0].name.clone();
                    errors.push(TypeError::StoredElement { name: name.clone(), found, span });
                }
            }
            let listed = |names: &[Name]| names.iter().any(|listed| listed.text == name);
            let (input, output) = (listed(&program.inputs), listed(&program.outputs));
            self.relation_names.insert(name.clone(), self.relations.len());
            self.relations.push(Relation { name, columns, storage: decl.storage, input, output, declared });
        }
        for name in program.inputs.iter().chain(&program.outputs) {
            self.resolve_relation(name, errors);
        }
    }
}
