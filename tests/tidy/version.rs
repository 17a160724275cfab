//! The version of the package, where files have to repeat it.

use crate::{assert_none, tree};

#[test]
fn files_agree_on_the_version() {
    let version = env!("CARGO_PKG_VERSION");
    let repeated = [
        ("pyproject.toml", format!("cellog-{version}.data")),
        ("CHANGELOG.md", format!("\n## {version} ")),
        ("README.md", format!("cellog-{version}-py3")),
        ("README.md", format!("cellog_{version}-1_")),
    ];
    let problems = repeated
        .into_iter()
        .filter(|(file, text)| !tree::text(file).is_some_and(|content| content.contains(text)))
        .map(|(file, text)| format!("{file}: does not say {:?}, the version of Cargo.toml", text.trim()))
        .collect();
    assert_none("A file is of another version.", problems);
}
