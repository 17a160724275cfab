//! `--checks`: `default`, `all` or names, comma separated.

use crate::datalog::language::error::closest;
use crate::ir::CheckKind;
use std::collections::BTreeSet;

/// The checks that `list` asks for; the error is a message for the user.
pub fn parse_checks(list: &str) -> Result<BTreeSet<CheckKind>, String> {
    let mut checks = BTreeSet::new();
    for name in list.split(',').map(str::trim) {
        match name {
            "default" => checks.extend(CheckKind::ALL.iter().filter(|k| k.by_default())),
            "all" => checks.extend(CheckKind::ALL),
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

fn unknown_check(name: &str) -> String {
    let names = || CheckKind::ALL.iter().map(|k| k.name()).chain(["default", "all"]);
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
