//! `--checks`: `default`, `all`, `rules` or names, comma separated.

use super::findings::PREFIX;
use crate::datalog::language::error::closest;
use crate::datalog::programs;
use crate::ir::CheckKind;
use std::collections::BTreeSet;

/// The checks that `list` asks for; the error is a message for the user.
pub fn parse_checks(list: &str) -> Result<BTreeSet<CheckKind>, String> {
    let mut checks = BTreeSet::new();
    for name in list.split(',').map(str::trim) {
        match name {
            "default" => checks.extend(CheckKind::defaults()),
            "all" => checks.extend(CheckKind::ALL),
            "rules" => {}
            _ if rule_checks().any(|check| check == name) => {}
            _ => match CheckKind::from_name(name) {
                Some(kind) => {
                    checks.insert(kind);
                }
                None => return Err(unknown_check(name)),
            },
        }
    }
    Ok(checks)
}

/// The checks that ship as rules, by name, sorted.
pub fn rule_checks() -> impl Iterator<Item = String> {
    let relations = programs::catalog().iter().map(|relation| relation.name);
    let found: BTreeSet<String> = relations.filter_map(|name| name.strip_prefix(PREFIX)).map(spelled).collect();
    found.into_iter()
}

/// Those that `list` asks for, by name or, with `rules`, all.
pub fn parse_rule_checks(list: &str) -> Vec<String> {
    let names: Vec<&str> = list.split(',').map(str::trim).collect();
    rule_checks().filter(|check| names.iter().any(|name| name == check || *name == "rules")).collect()
}

/// `bad_call` as checks are spelled: `bad-call`.
fn spelled(relation: &str) -> String {
    relation.replace('_', "-")
}

fn unknown_check(name: &str) -> String {
    let rules: Vec<String> = rule_checks().collect();
    let kinds = CheckKind::ALL.iter().map(|k| k.name());
    let all: Vec<&str> = kinds.chain(rules.iter().map(String::as_str)).chain(["default", "all", "rules"]).collect();
    let names = || all.iter().copied();
    let what = if name.is_empty() { "an empty name in --checks".to_owned() } else { format!("no check `{name}`") };
    match closest(name, names()) {
        Some(near) => format!("{what}; did you mean `{near}`?"),
        None => format!("{what}; there are {}", names().collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_united() {
        let checks = parse_checks("default,conversion").expect("known names");
        assert!(checks.contains(&CheckKind::Conversion) && checks.contains(&CheckKind::DivByZero));
        assert!(!checks.contains(&CheckKind::UnsignedOverflow));
        assert_eq!(parse_checks("all").expect("known name").len(), CheckKind::ALL.len());
        assert_eq!(parse_checks("shift, shift").expect("known name").len(), 1);
    }

    #[test]
    fn misspelt_names_get_a_suggestion() {
        assert_eq!(parse_checks("div-by-zro"), Err("no check `div-by-zro`; did you mean `div-by-zero`?".to_owned()));
        assert_eq!(
            parse_checks("outofbounds"),
            Err("no check `outofbounds`; did you mean `out-of-bounds`?".to_owned())
        );
        let far = parse_checks("everything").expect_err("unknown name");
        assert!(far.starts_with("no check `everything`; there are div-by-zero, "), "{far}");
        assert!(parse_checks("shift,").is_err());
    }
}
