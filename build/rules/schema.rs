//! `schema.rs`: what `facts/*.dl` declares, as Rust.
use super::language::ast::Program;
use super::language::resolve::{Kind, Relation, Scope, Type, TypeId};
use super::names::{base, camel, column_type, doc, snake, stem};
use std::fmt::Write;

/// The text of the module `facts::schema`.
pub fn generate(program: &Program) -> String {
    let (scope, _) = Scope::of(program);
    let mut out = String::from("use super::catalog::*;\nuse super::symbol::Symbols;\n\n");
    let relations: Vec<&Relation> = scope.relations.iter().collect();
    reject_unfit(program, &scope);
    let types: Vec<TypeId> = declared_types(&scope);
    columns(&mut out, program, &scope, &types, "");
    rows(&mut out, program, &scope, &relations);
    store(&mut out, program, &relations);
    catalog(&mut out, program, &scope, &types, &relations);
    out
}

/// Inputs are plain data: no records, no set storage, and every relation an input.
fn reject_unfit(program: &Program, scope: &Scope) {
    let mut failed = false;
    for relation in &scope.relations {
        let place = program.texts.place(program.relations[relation.declared].name.span);
        let mut error = |message: &str| {
            println!("cargo::error={place}: `{}` {message}", relation.name);
            failed = true;
        };
        if !relation.input {
            error("is declared in facts/ and needs an `.input`");
        }
        if relation.columns.iter().any(|id| matches!(scope.kind(*id), Kind::Record(_))) {
            error("is an input and cannot have record columns; rules build records");
        }
        if ["symbols", "self", "super", "crate"].contains(&relation.name.as_str()) {
            error("is a name the generated store needs itself");
        }
    }
    if failed {
        std::process::exit(1);
    }
}

/// All types but the base types.
pub fn declared_types(scope: &Scope) -> Vec<TypeId> {
    (0..scope.types.len()).map(TypeId).filter(|id| scope.types[id.0].declared.is_some()).collect()
}

fn type_doc<'a>(program: &'a Program, declared: &Type) -> &'a str {
    declared.declared.map_or("", |index| program.types[index].doc.as_str())
}

/// `pub mod column`: a newtype per type.
pub fn columns(out: &mut String, program: &Program, scope: &Scope, types: &[TypeId], imports: &str) {
    *out += "/// The types of columns.\npub mod column {\n";
    *out += imports;
    for id in types {
        let declared = &scope.types[id.0];
        let (inner, base) = match declared.kind {
            Kind::Symbol => ("crate::facts::Sym", "Symbol"),
            Kind::Number => ("i64", "Number"),
            kind => ("u32", base(kind)),
        };
        let name = &declared.name;
        *out += &doc("    ", type_doc(program, declared), &format!("`{name}`."));
        let _ = writeln!(
            out,
            "    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct {name}(pub {inner});
    impl crate::facts::Column for {name} {{
        const BASE: crate::facts::BaseType = crate::facts::BaseType::{base};
        fn cell(self) -> crate::facts::Cell {{ crate::facts::Cell::{base}(self.0) }}
        fn from_cell(cell: crate::facts::Cell) -> Option<Self> {{
            if let crate::facts::Cell::{base}(value) = cell {{ Some({name}(value)) }} else {{ None }}
        }}
    }}"
        );
    }
    *out += "}\n\n";
}

/// `pub mod row`: a struct per relation.
pub fn rows(out: &mut String, program: &Program, scope: &Scope, relations: &[&Relation]) {
    *out += "/// The tuples of relations.\npub mod row {\n";
    *out += "    #[allow(unused_imports, reason = \"not every schema uses all of them\")]\n    use super::column;\n";
    for relation in relations {
        let decl = &program.relations[relation.declared];
        let name = camel(&relation.name);
        *out += &doc("    ", &decl.doc, &format!("`{}`.", relation.name));
        let _ = writeln!(
            out,
            "    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]\n    pub struct {name} {{"
        );
        let fields: Vec<String> = decl.columns.iter().map(|column| snake(&column.name.text)).collect();
        let types: Vec<String> = relation.columns.iter().map(|id| column_type(scope, *id, "column::")).collect();
        for (field, field_type) in fields.iter().zip(&types) {
            let _ = writeln!(out, "        pub {field}: {field_type},");
        }
        *out += "    }\n";
        let cells: Vec<String> =
            fields.iter().map(|field| format!("crate::facts::Column::cell(self.{field})")).collect();
        let parsed: Vec<String> = fields
            .iter()
            .zip(&types)
            .map(|(field, field_type)| format!("{field}: <{field_type} as crate::facts::Column>::from_cell({field})?"))
            .collect();
        let _ = writeln!(
            out,
            "    impl crate::facts::Row for {name} {{
        fn with_cells<R>(self, visit: impl FnOnce(&[crate::facts::Cell]) -> R) -> R {{ visit(&[{}]) }}
        fn from_cells(cells: &[crate::facts::Cell]) -> Option<Self> {{
            let &[{}] = cells else {{ return None }};
            Some({name} {{ {} }})
        }}
    }}",
            cells.join(", "),
            fields.join(", "),
            parsed.join(", "),
        );
    }
    *out += "}\n\n";
}

fn column_infos(scope: &Scope, columns: &[(String, TypeId)]) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|(name, id)| {
            let type_name = &scope.types[id.0].name;
            let base = base(scope.kind(*id));
            format!("crate::facts::ColumnInfo {{ name: {name:?}, type_name: {type_name:?}, base: crate::facts::BaseType::{base} }}")
        })
        .collect();
    format!("&[{}]", columns.join(", "))
}

fn relation_info(program: &Program, scope: &Scope, relation: &Relation) -> String {
    let decl = &program.relations[relation.declared];
    let columns: Vec<(String, TypeId)> =
        decl.columns.iter().zip(&relation.columns).map(|(column, id)| (column.name.text.clone(), *id)).collect();
    let group = stem(&program.texts.files[decl.name.span.file as usize].name);
    format!(
        "crate::facts::RelationInfo {{ name: {:?}, group: {group:?}, columns: {}, doc: {:?} }}",
        relation.name,
        column_infos(scope, &columns),
        decl.doc
    )
}

fn store(out: &mut String, program: &Program, relations: &[&Relation]) {
    *out += "/// All facts of a program, a vector of rows per relation. Rows may repeat.\n";
    *out += "#[derive(Clone, Default, Debug)]\npub struct FactStore {\n    /// The strings that symbols stand for.\n    pub symbols: Symbols,\n";
    for relation in relations {
        *out += &doc("    ", &program.relations[relation.declared].doc, &format!("`{}`.", relation.name));
        let _ = writeln!(out, "    pub {}: Vec<row::{}>,", snake(&relation.name), camel(&relation.name));
    }
    *out += "}\n\nimpl FactStore {\n";
    let per_relation = |line: &dyn Fn(&str, &str) -> String| -> String {
        relations.iter().map(|relation| line(&snake(&relation.name), &relation.name)).collect()
    };
    let visits = per_relation(&|field, name| {
        format!("            {name:?} => self.{field}.iter().for_each(|row| row.with_cells(&mut *visit)),\n")
    });
    let pushes = per_relation(&|field, name| {
        format!("            {name:?} => Row::from_cells(cells).map(|row| self.{field}.push(row)).is_some(),\n")
    });
    let lengths = per_relation(&|field, name| format!("            {name:?} => self.{field}.len(),\n"));
    let _ = writeln!(
        out,
        "    /// Calls `visit` with the cells of every row of a relation; false if there is no such relation.
    #[allow(unused_variables, reason = \"a schema may be empty\")]
    pub fn for_each(&self, relation: &str, visit: &mut dyn FnMut(&[Cell])) -> bool {{
        match relation {{
{visits}            _ => return false,
        }}
        #[allow(unreachable_code, reason = \"a schema may be empty\")]
        true
    }}
    /// Adds a row; false if there is no such relation or the cells are not of its columns' types.
    #[allow(unused_variables, reason = \"a schema may be empty\")]
    pub fn push(&mut self, relation: &str, cells: &[Cell]) -> bool {{
        match relation {{
{pushes}            _ => false,
        }}
    }}
    /// The number of rows of a relation, repeated ones counted; 0 if there is no such relation.
    pub fn count(&self, relation: &str) -> usize {{
        match relation {{
{lengths}            _ => 0,
        }}
    }}
}}
"
    );
}

/// `catalog()` and `types()`.
pub fn catalog(out: &mut String, program: &Program, scope: &Scope, types: &[TypeId], relations: &[&Relation]) {
    let infos: Vec<String> = relations.iter().map(|relation| relation_info(program, scope, relation)).collect();
    let _ = writeln!(
        out,
        "/// Every declared relation, in order of files and declarations.
pub fn catalog() -> &'static [RelationInfo] {{
    static RELATIONS: &[RelationInfo] = &[
        {}
    ];
    RELATIONS
}}
",
        infos.join(",\n        ")
    );
    let infos: Vec<String> = types.iter().map(|id| type_info(program, scope, *id)).collect();
    let _ = writeln!(
        out,
        "/// Every declared type.
pub fn types() -> &'static [TypeInfo] {{
    static TYPES: &[TypeInfo] = &[
        {}
    ];
    TYPES
}}",
        infos.join(",\n        ")
    );
}

fn type_info(program: &Program, scope: &Scope, id: TypeId) -> String {
    let declared = &scope.types[id.0];
    format!(
        "TypeInfo {{ name: {:?}, parent: {:?}, base: crate::facts::BaseType::{}, fields: {}, doc: {:?} }}",
        declared.name,
        declared.parent.map_or("", |parent| scope.types[parent.0].name.as_str()),
        base(declared.kind),
        column_infos(scope, &declared.fields),
        type_doc(program, declared)
    )
}
