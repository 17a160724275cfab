//! Memory point by point, as queries see it, on the programs in `tests/c/points_to_at`. Comments say what must hold of their line:
//! `GIVES: f::v -> {x}` (what the value given to a variable may point to), `STRONG: x` and `WEAK: x` (which objects the line's writes replace, or may
//! change; blocks by the function that allocates them), `STATE: {recent}` (which objects of a block there are before the line allocates or frees it),
//! `MUST-FREE: f 0`, `MAY-FREE: f`, `FREES-NOTHING: f`, and `PHI-...` of cells.

use crate::run::binary;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A row per tuple, its columns parted by `|`.
type Rows = BTreeSet<String>;

const RULES: &str = r#"
.decl said(claim: symbol)
said(cat(cat("GIVES|", to_string(l), "|"), x, "|", d)) :- gives_value(s, w, v), variable_value(w, x), statement_position(s, _, l, _), points_to_at(s, v, at), object(at, d).
said(cat(cat("STRONG|", to_string(l), "|"), d)) :- writes_address(s, p), points_to(p, at), strong_cell(s, at), statement_position(s, _, l, _), object(at, d).
said(cat(cat("WEAK|", to_string(l), "|"), d)) :- weak_cell(s, at), statement_position(s, _, l, _), object(at, d).
said(cat(cat("STATE|", to_string(l), "|"), k)) :- heap_state_at(s, b, k), concerns(s, b), statement_position(s, _, l, _).
said(cat("MUST-FREE||", f, " ", to_string(i))) :- must_free(f, i).
said(cat("MAY-FREE||", f)) :- may_free(f, _).
said(cat("PHI-SAME||", cat(b, " ", to_string(o), " ", t), " <- ", cat(to_string(o), " ", u))) :- phi_same(b, o, t, u).
said(cat("PHI-PART||", cat(b, " ", to_string(o), " ", t), " <- ", cat(to_string(p), " ", u, " >> ", to_string(k)))) :- phi_part(b, o, t, p, u, k).
said(cat("PHI-SUM||", cat(b, " ", to_string(o), " ", t), " <- ", cat(to_string(p), " ", u, " << ", to_string(k)))) :- phi_sum(b, o, t, p, u, k).
said(cat("PHI-BYTE||", cat(b, " ", to_string(o), " ", t), " <- ", cat(to_string(p), " ", u, " byte ", to_string(k)))) :- phi_pointer_byte(b, o, t, p, u, k).
said(cat("PHI-UNKNOWN||", cat(b, " ", to_string(o), " ", t), " <- ", cat(to_string(p), " ", u))) :- phi_unknown(b, o, t, p, u).
.decl concerns(s: Statement, b: Base)
concerns(s, b) :- folds(s, b).
concerns(s, b) :- expands(s, b).
.decl object(at: Location, text: symbol)
object([b, o, m], b) :- points_to(_, [b, o, m]), variable_base(_, b).
object([b, o, m], b) :- points_to(_, [b, o, m]), function_base(_, b).
object([b, o, m], n) :- points_to(_, [b, o, m]), allocation_base(a, b), block_name(a, n).
object([b, o, m], cat(n, " from ", f)) :- points_to(_, [b, o, m]), context_base(a, c, b), block_name(a, n), call(c, f, _).
.decl block_name(allocation: Allocation, name: symbol)
block_name(a, "malloc") :- allocation(a, _, _, _), contains("malloc@", a).
block_name(a, "realloc") :- allocation(a, _, _, _), contains("realloc@", a).
"#;

fn said(path: &Path, rules: &Path) -> Rows {
    let output = Command::new(binary())
        .args(["query", "--format", "csv", "--limit", "0", "--time-limit", "600", "--rules"])
        .args([rules, path])
        .arg("said(claim)")
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("the answer is text");
    text.lines().skip(1).map(|line| line.trim_matches('"').to_owned()).collect()
}

/// What `rows` say of the claim `kind: rest` in this line, in the words of the claim.
fn answer(rows: &Rows, kind: &str, rest: &str, line: usize) -> String {
    let those = |prefix: String| -> Vec<String> {
        rows.iter().filter_map(|row| row.strip_prefix(prefix.as_str()).map(str::to_owned)).collect()
    };
    match kind {
        "GIVES" => {
            let variable = rest.split(" -> ").next().unwrap_or_default();
            format!("{variable} -> {{{}}}", those(format!("GIVES|{line}|{variable}|")).join(", "))
        }
        "STATE" => format!("{{{}}}", those(format!("STATE|{line}|")).join(", ")),
        "STRONG" | "WEAK" => those(format!("{kind}|{line}|")).join(", "),
        "FREES-NOTHING" if rows.contains(&format!("MAY-FREE||{rest}")) => "may free".to_owned(),
        "FREES-NOTHING" => rest.to_owned(),
        _ if rows.contains(&format!("{kind}||{rest}")) => rest.to_owned(),
        _ => format!("not among {:?}", those(format!("{kind}||"))),
    }
}

#[test]
fn programs_have_the_memory_that_they_claim() {
    let rules = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(rules.path(), RULES).expect("the file is writable");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/points_to_at");
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() >= 13);
    let mut wrong = Vec::new();
    for path in paths {
        let rows = said(&path, rules.path());
        let text = std::fs::read_to_string(&path).expect("a program");
        let claims = text.lines().zip(1..).filter_map(|(line, number)| Some((line.split_once("// ")?.1, number)));
        for (claim, number) in claims {
            let (kind, rest) = claim.split_once(": ").expect("a claim has a subject");
            let found = answer(&rows, kind, rest, number);
            if found != rest {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                wrong.push(format!("{name}:{number}: {kind}: {found}, wanted {rest}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
