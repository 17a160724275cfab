//! What users say of functions whose text is not there.

use crate::run::{Ended, Folder};
use std::collections::BTreeMap;

/// The text of the block in docs/contracts.md that begins with `start`.
fn block(start: &str) -> String {
    let page = include_str!("../../docs/contracts.md");
    let found =
        page.split("```").map(|block| block.trim_start_matches('c').trim_start()).find(|b| b.starts_with(start));
    found.unwrap_or_else(|| panic!("docs/contracts.md has no block that begins with {start}")).to_owned()
}

/// How often a report has each verdict.
fn counts(ended: &Ended) -> BTreeMap<String, usize> {
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let mut counts = BTreeMap::new();
    for finding in report["findings"].as_array().expect("findings are a list") {
        *counts.entry(finding["verdict"].as_str().unwrap_or_default().to_owned()).or_insert(0) += 1;
    }
    counts
}

fn of(pairs: &[(&str, usize)]) -> BTreeMap<String, usize> {
    pairs.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect()
}

#[test]
fn the_example_of_the_page_is_safe_by_its_contract() {
    let folder = Folder::with(&[("frames.c", &block("#include")), ("frames.dl", &block("// frames.dl"))]);
    let json = ["check", "--format", "json", "frames.c"];
    assert_eq!(counts(&folder.run(&json)), of(&[("possible", 5), ("safe", 10)]));
    assert_eq!(counts(&folder.run(&[&json[..], &["--contracts", "frames.dl"]].concat())), of(&[("safe", 20)]));
    let text = folder.run(&["check", "frames.c", "--contracts", "frames.dl"]).out;
    assert!(text.contains(&block("called, and taken")), "{text}");
    // The same by cellog.toml; and without it, no earlier result counts.
    folder.write("cellog.toml", b"contracts = ['frames.dl']\n");
    assert_eq!(counts(&folder.run(&json)), of(&[("safe", 20)]));
    folder.write("cellog.toml", b"");
    assert_eq!(counts(&folder.run(&json)), of(&[("possible", 5), ("safe", 10)]));
}

const DECLARED: &str = "#include <stdlib.h>
void *xmalloc(size_t), *xrealloc(void *, size_t), *same(void *);
void xfree(void *), die(const char *);
int fill(unsigned char *, size_t), level(int *), sum(void);
char *name(void);
int g;
";

const CONTRACTS: &str = "gives_block(\"xmalloc\", 0). resizes_block(\"xrealloc\", 0, 1). releases(\"xfree\", 0).
never_returns(\"die\"). reads_text(\"die\", 0).
gives_between(\"fill\", -1, 0). writes_buffer(\"fill\", 0, 1).
needs(\"level\", 0). gives_between(\"level\", 0, 4).
gives_text(\"name\", 20). harmless(\"name\").
gives_argument(\"same\", 0). harmless(\"same\").
gives_between(\"sum\", 0, 9). harmless(\"sum\"). computes(\"sum\").
";

/// The verdicts that are not `safe` on a program with this body of `main` and those contracts, as `check: verdict`, sorted.
fn open(before: &str, body: &str) -> Vec<String> {
    let text = format!("{DECLARED}{before}\nint main(void) {{ {body} return 0; }}\n");
    let folder = Folder::with(&[("a.c", &text), ("a.dl", CONTRACTS)]);
    let ended = folder.run(&["check", "--format", "json", "--contracts", "a.dl", "a.c"]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{}", ended.err));
    let findings = report["findings"].as_array().expect("findings are a list").iter();
    let word = |f: &serde_json::Value, key: &str| f[key].as_str().unwrap_or_default().to_owned();
    let mut all: Vec<String> = findings.map(|f| format!("{}: {}", word(f, "check"), word(f, "verdict"))).collect();
    all.retain(|line| !line.ends_with(": safe"));
    all.sort();
    all
}

#[test]
fn errors_are_found_by_contracts() {
    let errs = |before: &str, body: &str| -> Vec<String> {
        open(before, body).into_iter().filter(|line| !line.ends_with(": unreachable")).collect()
    };
    assert_eq!(errs("", "char *p = xmalloc(4); p[4] = 1; xfree(p);"), ["out-of-bounds: definite"]);
    assert_eq!(errs("", "char *p = xmalloc(4); xfree(p); xfree(p);"), ["double-free: definite"]);
    assert_eq!(errs("", "char b[2] = {'a', 'b'}; die(b);"), ["out-of-bounds: definite"]);
    assert_eq!(errs("", "unsigned char b[4]; fill(b, 5);"), ["out-of-bounds: definite"]);
    assert_eq!(
        errs("", "unsigned char b[4]; int a[10]; if (fill(b, 4) >= 0) a[b[0]] = 1;"),
        ["out-of-bounds: definite"]
    );
    assert_eq!(errs("", "level(0);"), ["null-deref: definite"]);
}

#[test]
fn what_a_contract_excludes_is_safe() {
    assert_eq!(open("", "char *n = name(); while (*n) n++;"), [""; 0]);
    assert_eq!(
        open("", "int *p = same(&g); *p = 3; if (g != 3) { int a[1]; a[2] = 1; }"),
        ["out-of-bounds: unreachable"]
    );
    assert_eq!(
        open("", "char *p = xmalloc(2); p[0] = 1; p = xrealloc(p, 8); int a[2]; a[p[0]] = p[0]; xfree(p);"),
        [""; 0]
    );
    assert_eq!(open("", "int x = 0; int a[5]; a[level(&x)] = 1;"), [""; 0]);
}

#[test]
fn what_a_contract_leaves_open_is_not_claimed() {
    // It does not say what `level` does to memory.
    assert_eq!(open("", "int x = 0, a[2]; level(&x); a[x] = 1;"), ["out-of-bounds: possible"]);
    // Not every number from 0 to 9 need come.
    assert_eq!(open("", "int a[5]; a[sum()] = 1;"), ["out-of-bounds: possible"]);
    // `die` may call `exit`, which runs handlers.
    assert_eq!(
        open("void handler(void) { int a[3]; a[g] = 1; }", "atexit(handler); g = 7; die(\"x\");"),
        ["out-of-bounds: possible"]
    );
}

#[test]
fn contracts_that_do_not_fit_are_told_and_not_used() {
    let text = "int *f(int *), g(int);\nvoid die(void) { }\nint main(void) { int x = 0, a[2]; die(); f(&x); a[x] = 1; return g(1); }\n";
    let contracts = "never_returns(\"die\"). harmless(\"f\"). needs(\"g\", 0).\n";
    let folder = Folder::with(&[("a.c", text), ("a.dl", contracts)]);
    let ended = folder.run(&["check", "--verbose", "--contracts", "a.dl", "a.c"]);
    assert!(ended.out.contains("possible[out-of-bounds]"), "{}", ended.out);
    for told in
        ["the program defines the function", "does not say what the function gives", "`needs` is not of its types"]
    {
        assert!(ended.err.contains(told), "{told}: {}", ended.err);
    }
}

#[test]
fn mistakes_in_contracts_are_shown_and_end_the_run() {
    let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n"), ("a.dl", "never_return(\"die\").\n")]);
    let ended = folder.run(&["check", "--contracts", "a.dl", "a.c"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("did you mean `never_returns`?") && ended.err.contains("a.dl:1:1"), "{}", ended.err);
    assert_eq!(folder.run(&["check", "--contracts", "none.dl", "a.c"]).status, 2);
}

/// Contracts that contradict themselves make odd errors, and nothing worse.
#[test]
fn odd_contracts_are_followed() {
    let text = "#include <stdlib.h>\nvoid *odd(void *, void *, size_t); int main(void) { char *p = malloc(4); return odd(p, p, 4) == p; }\n";
    for contract in [
        "releases(\"odd\", 0). releases(\"odd\", 1). gives_argument(\"odd\", 0).",
        "releases(\"odd\", 0). writes_buffer(\"odd\", 1, 2). gives_argument(\"odd\", 1).",
        "resizes_block(\"odd\", 0, 2). releases(\"odd\", 1). takes_null(\"odd\", 1). never_returns(\"odd\").",
        "lends_block(\"odd\", 2). zeroes_block(\"odd\"). may_fail(\"odd\"). computes(\"odd\"). writes_object(\"odd\", 0).",
        "needs(\"odd\", 4).",
        "needs(\"odd\", 9223372036854775807). gives_between(\"odd\", 1, 2).",
        "gives_text(\"odd\", 0). gives_text(\"odd\", 0). never_returns(\"odd\"). reads_buffer(\"odd\", 0, 2).",
        "gives_array(\"odd\", 2, 2). reads_text(\"odd\", 0). reads_text(\"main\", 0). harmless(\"malloc\").",
    ] {
        let folder = Folder::with(&[("a.c", text), ("a.dl", contract)]);
        let ended = folder.run(&["check", "--contracts", "a.dl", "a.c", "--format", "json"]);
        assert!([0, 1].contains(&ended.status), "{contract}: {}", ended.err);
    }
}
