//! From names in rules to names in Rust.
use super::language::resolve::{Kind, Scope, TypeId};

/// Words that cannot be plain identifiers but may be raw ones.
const KEYWORDS: [&str; 46] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where",
];

/// A field, relation or variable name.
pub fn snake(name: &str) -> String {
    let name = name.replace('?', "q_");
    match name.as_str() {
        "while" | "yield" => format!("r#{name}"),
        "self" | "super" | "crate" | "Self" => format!("{name}_"),
        _ if KEYWORDS.contains(&name.as_str()) => format!("r#{name}"),
        _ => name,
    }
}

/// `points_to` to `PointsTo`.
pub fn camel(name: &str) -> String {
    name.split(['_', '?'])
        .map(|part| {
            let mut characters = part.chars();
            characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
        })
        .collect()
}

/// The Rust type of a column inside a module next to `column`.
pub fn column_type(scope: &Scope, id: TypeId, path: &str) -> String {
    match (id, scope.kind(id)) {
        (TypeId::SYMBOL, _) => "crate::facts::Sym".to_owned(),
        (TypeId::NUMBER, _) => "i64".to_owned(),
        (TypeId::UNSIGNED, _) => "u32".to_owned(),
        _ => format!("{path}{}", scope.types[id.0].name),
    }
}

/// The variant of `BaseType` and `Cell` for a kind.
pub fn base(kind: Kind) -> &'static str {
    match kind {
        Kind::Symbol => "Symbol",
        Kind::Number => "Number",
        Kind::Unsigned => "Unsigned",
        Kind::Record(_) => "Record",
        Kind::Unknown => unreachable!("checked programs have no unknown types"),
    }
}

/// The last component of a path without its extension.
pub fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".dl").unwrap_or(file)
}

/// A documentation comment of some lines, indented; never empty, so that generated items are documented.
pub fn doc(indent: &str, text: &str, fallback: &str) -> String {
    let text = if text.is_empty() { fallback } else { text };
    // What looks like a link is an index of C.
    let text = text.replace('[', "\\[").replace(']', "\\]");
    text.lines().map(|line| format!("{indent}#[doc = {:?}]\n", format!(" {line}"))).collect()
}
