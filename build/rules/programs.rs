//! `programs.rs`: what `rules/` declares, and a module per program.
use super::language::ast::{Executor, Program, Storage};
use super::language::parser::{Clause, parse};
use super::language::resolve::{Kind, Relation, Scope, TypeId};
use super::names::{camel, column_type, doc, snake, stem};
use super::schema;
use std::fmt::Write;

/// A program file and all it includes.
pub struct ProgramFile {
    pub path: String,
    pub program: Program,
    /// What runs it.
    pub executor: Executor,
}

/// Does the file have an `.output` of its own?
pub fn is_program(text: &str) -> bool {
    parse(0, text).0.iter().any(|clause| matches!(clause, Clause::Output(_)))
}

/// The text of the module `datalog::programs`. `all` is every file of `rules/` as one program.
pub fn generate(all: &Program, programs: &[ProgramFile], files: &[String]) -> String {
    let (scope, _) = Scope::of(all);
    let mut out = String::from(
        "use crate::facts::{RelationInfo, TypeInfo};\nuse super::results::{ProgramInfo, RuleFile};\nuse super::evaluate::Database;\n\n",
    );
    let own = |declared: u32| all.texts.files[declared as usize].name.starts_with("rules/");
    let types: Vec<TypeId> = schema::declared_types(&scope)
        .into_iter()
        .filter(|id| scope.types[id.0].declared.is_some_and(|at| own(all.types[at].name.span.file)))
        .collect();
    let relations: Vec<&Relation> =
        scope.relations.iter().filter(|relation| own(all.relations[relation.declared].name.span.file)).collect();
    schema::columns(
        &mut out,
        all,
        &scope,
        &types,
        "    #[allow(unused_imports, reason = \"there may be no input types\")]\n    pub use crate::facts::column::*;\n",
    );
    records(&mut out, &scope, &types);
    schema::rows(&mut out, all, &scope, &relations);
    schema::catalog(&mut out, all, &scope, &types, &relations);
    sources(&mut out, programs, files);
    for program in programs {
        module(&mut out, program);
    }
    dispatch(&mut out, programs);
    out
}

/// `pub mod record` and `pub struct Records`.
fn records(out: &mut String, scope: &Scope, types: &[TypeId]) {
    let records: Vec<TypeId> = types.iter().copied().filter(|id| matches!(scope.kind(*id), Kind::Record(_))).collect();
    *out += "/// The fields of records.\npub mod record {\n    #[allow(unused_imports, reason = \"records need not use all of them\")]\n    use super::column;\n";
    for id in &records {
        let record = &scope.types[id.0];
        let _ = writeln!(
            out,
            "    /// A `{0}`.\n    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]\n    pub struct {0} {{",
            record.name
        );
        for (field, id) in &record.fields {
            let _ = writeln!(out, "        pub {}: {},", snake(field), column_type(scope, *id, "column::"));
        }
        *out += "    }\n";
    }
    *out += "}\n\n/// The records of a run by number.\n#[derive(Clone, Debug, Default)]\npub struct Records {\n";
    for id in &records {
        let name = &scope.types[id.0].name;
        let _ = writeln!(out, "    /// By `column::{name}`.\n    pub {}: Vec<record::{name}>,", field_name(name));
    }
    *out += "}\n\nimpl Records {\n";
    for id in &records {
        let name = &scope.types[id.0].name;
        let field = field_name(name);
        let _ = writeln!(
            out,
            "    /// The fields of a record of this run.\n    pub fn {field}(&self, record: column::{name}) -> record::{name} {{ self.{field}[record.0 as usize] }}"
        );
    }
    *out += "    #[allow(dead_code, unused_variables, reason = \"there may be no records or programs\")]\n    fn of(database: &Database) -> Records {\n        Records {\n";
    for id in &records {
        let record = &scope.types[id.0];
        let fields: Vec<String> = record
            .fields
            .iter()
            .enumerate()
            .map(|(at, (field, _))| {
                format!(
                    "{}: crate::facts::Column::from_cell(fields[{at}]).expect(\"fields have their declared types\")",
                    snake(field)
                )
            })
            .collect();
        let _ = writeln!(
            out,
            "            {}: database.records({:?}).map(|fields| record::{} {{ {} }}).collect(),",
            field_name(&record.name),
            record.name,
            record.name,
            fields.join(", ")
        );
    }
    *out += "        }\n    }\n}\n\n";
}

/// `HeapBase` to `heap_base`.
fn field_name(type_name: &str) -> String {
    let mut name = String::new();
    for (at, character) in type_name.chars().enumerate() {
        if character.is_uppercase() && at > 0 {
            name.push('_');
        }
        name.extend(character.to_lowercase());
    }
    snake(&name)
}

fn sources(out: &mut String, programs: &[ProgramFile], files: &[String]) {
    *out += "/// Every file of `facts/` and `rules/`.\npub static FILES: &[RuleFile] = &[\n";
    for file in files {
        let _ = writeln!(
            out,
            "    RuleFile {{ path: {file:?}, text: include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?})) }},",
            format!("/{file}")
        );
    }
    *out += "];\n\n/// Every program, by path.\npub static PROGRAMS: &[ProgramInfo] = &[\n";
    for file in programs {
        let _ = writeln!(out, "    {}::PROGRAM,", snake(stem(&file.path)));
    }
    *out += "];\n\n";
}

/// `database`: a program by its path.
fn dispatch(out: &mut String, programs: &[ProgramFile]) {
    let arms: String = programs
        .iter()
        .map(|file| {
            format!(
                "        {:?} => Some({}::database(executor, facts, limits)),\n",
                file.path,
                snake(stem(&file.path))
            )
        })
        .collect();
    let _ = writeln!(
        out,
        "/// Runs the program of a path; none if there is no such program.
#[allow(unused_variables, reason = \"there may be no programs\")]
pub fn database(path: &str, executor: super::Executor, facts: &dyn super::Input, limits: &super::Limits) -> Option<Result<Database, super::RunError>> {{
    match path {{
{arms}        _ => None,
    }}
}}"
    );
}

/// The `ProgramInfo` of a program.
fn info(ProgramFile { path, program, executor }: &ProgramFile) -> String {
    let names = |names: &[super::language::ast::Name]| {
        let names: Vec<String> = names.iter().map(|name| format!("{:?}", name.text)).collect();
        names.join(", ")
    };
    format!(
        "ProgramInfo {{ name: {:?}, path: {path:?}, executor: Executor::{executor:?}, inputs: &[{}], outputs: &[{}] }}",
        stem(path),
        names(&program.inputs),
        names(&program.outputs)
    )
}

fn module(out: &mut String, file: &ProgramFile) {
    let ProgramFile { path, program, executor } = file;
    let (scope, _) = Scope::of(program);
    let outputs: Vec<&Relation> = scope.relations.iter().filter(|relation| relation.output).collect();
    let _ = writeln!(
        out,
        "/// The program `{path}`.
pub mod {} {{
    #[allow(unused_imports, reason = \"programs need not use all of them\")]
    use super::super::{{evaluate::{{self, Database, Input}}, language::core as rules, results::{{Executor, Outputs, ProgramInfo, SetRelation}}, source, Limits, RunError}};
    #[allow(unused_imports, reason = \"programs need not use all of them\")]
    use super::{{Records, column, row}};

    /// What is known of the program before it runs.
    pub const PROGRAM: ProgramInfo = {};

    /// The relations the program puts out.
    #[derive(Clone, Debug, Default)]
    pub struct Results {{
        /// What record columns refer to.
        pub records: Records,",
        snake(stem(path)),
        info(file)
    );
    for relation in &outputs {
        let decl = &program.relations[relation.declared];
        *out += &doc("        ", &decl.doc, &format!("`{}`.", relation.name));
        let _ = writeln!(out, "        pub {}: {},", snake(&relation.name), output_type(program, &scope, relation));
    }
    *out += "    }\n\n    impl Results {\n        /// The outputs of a finished run.\n        pub fn of(database: &Database) -> Results {\n            Results {\n                records: Records::of(database),\n";
    for relation in &outputs {
        let method = if relation.storage == Storage::Set { "sets" } else { "rows" };
        let _ = writeln!(out, "                {}: database.{method}({:?}),", snake(&relation.name), relation.name);
    }
    let lengths: Vec<String> = outputs.iter().map(|r| format!("self.{}.len()", snake(&r.name))).collect();
    let sum = lengths.join(" + ");
    let _ = writeln!(
        out,
        "            }}
        }}
    }}

    impl Outputs for Results {{
        const PROGRAM: ProgramInfo = PROGRAM;

        fn tuples(&self) -> usize {{
            {sum}
        }}
    }}

    /// The program as the evaluator takes it.
    pub fn program() -> &'static rules::Program {{
        static PROGRAM: std::sync::OnceLock<rules::Program> = std::sync::OnceLock::new();
        PROGRAM.get_or_init(|| source::built_in_program({path:?}))
    }}

    /// Runs the program over `facts` by the executor that it names.
    pub fn run(facts: &dyn Input, limits: &Limits) -> Result<Results, RunError> {{
        database(PROGRAM.executor, facts, limits).map(|database| Results::of(&database))
    }}

    /// All relations of the program over some input.
    pub fn database(executor: Executor, facts: &dyn Input, limits: &Limits) -> Result<Database, RunError> {{
        match executor {{
            Executor::Propagation => evaluate::evaluate(program(), facts, limits),
{}        }}
    }}

{}}}
",
        match executor {
            Executor::Ascent => "            Executor::Ascent => compiled(facts, limits),\n",
            Executor::Propagation => {
                "            #[cfg(feature = \"ascent-rules\")]
            Executor::Ascent => compiled(facts, limits),
            #[cfg(not(feature = \"ascent-rules\"))]
            Executor::Ascent => Err(RunError::NotCompiled),
"
            }
        },
        super::ascent::generate(&super::language::lower::lower(program), *executor == Executor::Ascent)
    );
}

fn output_type(program: &Program, scope: &Scope, relation: &Relation) -> String {
    // Inputs are rows of the schema, everything else rows of the rules.
    let file = &program.texts.files[program.relations[relation.declared].name.span.file as usize].name;
    let rows = if file.starts_with("rules/") { "row::" } else { "crate::facts::row::" };
    if relation.storage == Storage::Rows {
        return format!("Vec<{rows}{}>", camel(&relation.name));
    }
    let columns: Vec<String> = relation.columns.iter().map(|id| column_type(scope, *id, "column::")).collect();
    let (element, keys) = columns.split_last().expect("a set relation has columns");
    match keys {
        [key] => format!("SetRelation<{key}, {element}>"),
        keys => format!("SetRelation<({}), {element}>", keys.join(", ")),
    }
}
