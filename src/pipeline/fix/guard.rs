//! What might mend a definite finding, by its check and the text of what is judged: a guard in front of the statement, a value at a
//! declaration, a pointer that forgets what is freed. Whether one of them does is for [`super::recheck`] to say.

use super::edit::{Edits, Insertion};
use super::statement::{Statement, Token, statement_at, tokens};
use crate::ir::CheckKind;
use crate::verdict::{Check, Finding};

/// What a function gives back, as far as a guard that returns must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    Nothing,
    Number,
    Pointer,
    /// Of a record no value can be written down.
    Record,
}

/// Something that may mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it does, for people: `leaves f where p == NULL`.
    pub title: String,
    pub edits: Edits,
}

/// The file that a finding is in, and the function around it.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    pub text: &'a str,
    /// The byte that the finding is at.
    pub at: usize,
    pub function: &'a str,
    pub returns: Returns,
}

/// What might mend `finding`, the likeliest first.
pub fn candidates(finding: &Finding, site: Site<'_>) -> Vec<Candidate> {
    let Check::Site(kind) = finding.check else { return Vec::new() };
    let subject = finding.subject.as_str();
    let conditions: Vec<String> = match kind {
        CheckKind::NullDeref => pointer_of(subject).map(|pointer| is_null(pointer, site.text)).into_iter().collect(),
        CheckKind::DivByZero => operands(subject, &["/", "%", "/=", "%="])
            .map(|(_, _, divisor)| format!("{} == 0", primary(divisor)))
            .into_iter()
            .collect(),
        CheckKind::OutOfBounds | CheckKind::IndexBound => index_of(subject)
            .map(|(array, index)| format!("(unsigned long){} >= sizeof {array} / sizeof {array}[0]", primary(index)))
            .into_iter()
            .collect(),
        CheckKind::Shift => operands(subject, &["<<", ">>", "<<=", ">>="])
            .map(|(_, _, count)| {
                ["32", "64"].map(|bits| format!("(unsigned long){} >= {bits}", primary(count))).to_vec()
            })
            .unwrap_or_default(),
        CheckKind::SignedOverflow => overflow(subject),
        CheckKind::UninitRead => return initializer(subject, site).into_iter().collect(),
        CheckKind::DoubleFree => return forgetting(subject, site).into_iter().collect(),
        _ => Vec::new(),
    };
    conditions.iter().filter_map(|condition| guard(condition, site)).collect()
}

/// A guard that leaves the function where `condition` holds.
fn guard(condition: &str, site: Site<'_>) -> Option<Candidate> {
    let Statement { start, end, is_bare } = statement_at(site.text, site.at)?;
    let leave = match site.returns {
        Returns::Nothing => "return;".to_owned(),
        Returns::Number => format!("return {};", failure_value(site)),
        Returns::Pointer => format!("return {};", null(site.text)),
        Returns::Record => return None,
    };
    let line = site.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &site.text[line..start];
    let indent: String = before.chars().take_while(|c| c.is_whitespace()).collect();
    let unit = if indent.contains('\t') { "\t" } else { "    " };
    let insertions = if is_bare {
        let inner = format!("{indent}{unit}");
        let guard = format!("{{\n{inner}if ({condition})\n{inner}{unit}{leave}\n{inner}");
        vec![Insertion { at: start, text: guard }, Insertion { at: end, text: format!("\n{indent}}}") }]
    } else {
        vec![Insertion { at: start, text: format!("if ({condition})\n{indent}{unit}{leave}\n{indent}") }]
    };
    let title = format!("leaves {} where {condition}", site.function);
    Some(Candidate { title, edits: Edits::new(insertions) })
}

/// What the function gives back where it fails: -1 where it does so elsewhere, 1 of `main`, else 0.
fn failure_value(site: Site<'_>) -> &'static str {
    let body = tokens(site.text);
    let says = |number: &str| {
        body.windows(4).any(|t| t[0].text == "return" && t[1].text == "-" && t[2].text == number && t[3].text == ";")
    };
    match site.function {
        "main" => "1",
        _ if says("1") => "-1",
        _ => "0",
    }
}

fn null(text: &str) -> &'static str {
    if tokens(text).iter().any(|token| token.text == "NULL") { "NULL" } else { "0" }
}

fn is_null(pointer: &str, text: &str) -> String {
    format!("{} == {}", primary(pointer), null(text))
}

/// `text` in parentheses unless it is a name, a member or an element, or has them already.
fn primary(text: &str) -> String {
    if is_in_parentheses(text) {
        return text.to_owned();
    }
    let plain = tokens(text).iter().all(|t| {
        t.text.starts_with(|c: char| c.is_alphanumeric() || c == '_') || matches!(t.text, "->" | "." | "[" | "]")
    });
    if plain { text.to_owned() } else { format!("({text})") }
}

/// Whether the first parenthesis of `text` is closed by its last character.
fn is_in_parentheses(text: &str) -> bool {
    let mut depth = 0usize;
    let closes = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    text.starts_with('(') && text.chars().position(closes) == Some(text.chars().count() - 1)
}

/// Whether evaluating `text` twice is the same as once: no call, assignment or step.
fn is_pure(text: &str) -> bool {
    let all = tokens(text);
    let is_name = |t: &Token<'_>| t.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let calls = all.windows(2).any(|t| (is_name(&t[0]) || t[0].text == ")") && t[1].text == "(");
    let changes = |t: &Token<'_>| {
        t.text == "="
            || t.text == "++"
            || t.text == "--"
            || t.text.len() > 1 && t.text.ends_with('=') && !matches!(t.text, "==" | "!=" | "<=" | ">=")
    };
    !all.is_empty() && !calls && !all.iter().any(changes) && !text.contains("...")
}

/// The operator of `subject` outside of brackets that is done last, if it is one of `operators`, with its operands, which are pure.
fn operands<'s>(subject: &'s str, operators: &[&str]) -> Option<(&'s str, &'s str, &'s str)> {
    let all = tokens(subject);
    let mut depth = 0usize;
    let mut found = None;
    for (number, token) in all.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            text if depth == 0 && number > 0 && operators.contains(&text) => found = Some(token),
            _ => {}
        }
    }
    let token = found?;
    let (left, right) = (subject[..token.start].trim(), subject[token.end()..].trim());
    (is_pure(left) && is_pure(right)).then_some((left, token.text, right))
}

/// The pointer that an access goes through.
fn pointer_of(subject: &str) -> Option<&str> {
    let all = tokens(subject);
    let pointer = if let Some(rest) = subject.strip_prefix('*') {
        rest.trim()
    } else if let Some((array, _)) = index_of(subject) {
        array
    } else {
        let mut depth = 0usize;
        let mut arrow = None;
        for token in &all {
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.checked_sub(1)?,
                "->" if depth == 0 => arrow = Some(token.start),
                _ => {}
            }
        }
        match (arrow, all.first(), all.get(1)) {
            (Some(arrow), ..) => subject[..arrow].trim(),
            // An argument of a library function.
            (None, Some(_), Some(open)) if open.text == "(" => subject[open.end()..].strip_suffix(')')?.trim(),
            _ => return None,
        }
    };
    (is_pure(pointer)).then_some(pointer)
}

/// The array and the index of `array[index]`.
fn index_of(subject: &str) -> Option<(&str, &str)> {
    let inside = subject.strip_suffix(']')?;
    let mut depth = 1usize;
    let open = inside.char_indices().rev().find_map(|(at, c)| {
        match c {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let (array, index) = (inside[..open].trim(), inside[open + 1..].trim());
    (is_pure(array) && is_pure(index)).then_some((array, index))
}

/// Where arithmetic of an `int`, or of a `long`, leaves its type.
fn overflow(subject: &str) -> Vec<String> {
    const LIMITS: [&str; 2] = ["2147483647", "9223372036854775807"];
    let stepped = |sign: &str| {
        let rest = subject.strip_prefix(sign).or_else(|| subject.strip_suffix(sign))?.trim();
        is_pure(rest).then_some(rest)
    };
    if let Some(name) = stepped("++") {
        return LIMITS.map(|most| format!("{name} == {most}")).to_vec();
    }
    if let Some(name) = stepped("--") {
        return LIMITS.map(|most| format!("{name} == -{most} - 1")).to_vec();
    }
    let Some((left, operator, right)) = operands(subject, &["+", "-", "*", "+=", "-=", "*="]) else {
        return Vec::new();
    };
    let (a, b) = (primary(left), primary(right));
    let number = right.parse::<u32>().is_ok_and(|n| n > 0);
    let condition = |most: &str| match (operator.trim_end_matches('='), number) {
        ("+", true) => Some(format!("{a} > {most} - {b}")),
        ("-", true) => Some(format!("{a} < -{most} - 1 + {b}")),
        ("*", true) => Some(format!("{a} > {most} / {b} || {a} < -{most} / {b}")),
        ("+", false) => Some(format!("{b} > 0 ? {a} > {most} - {b} : {a} < -{most} - 1 - {b}")),
        ("-", false) => Some(format!("{b} < 0 ? {a} > {most} + {b} : {a} < -{most} - 1 + {b}")),
        _ => None,
    };
    LIMITS.iter().filter_map(|most| condition(most)).collect()
}

/// A value for a variable where it is declared.
fn initializer(subject: &str, site: Site<'_>) -> Option<Candidate> {
    let name = tokens(subject)
        .iter()
        .map(|t| t.text)
        .find(|t| t.starts_with(|c: char| c.is_alphabetic() || c == '_'))?
        .to_owned();
    let all = tokens(site.text);
    // The last declaration before the place: a name behind a type or a comma, with nothing but brackets behind it.
    let before = all.iter().enumerate().take_while(|(_, token)| token.start < site.at);
    let declared = before.filter(|(number, token)| token.text == name && is_declared(&all, *number)).last()?.0;
    let mut behind = declared + 1;
    let is_array = all.get(behind)?.text == "[";
    while all.get(behind)?.text == "[" {
        behind += 1 + all[behind..].iter().position(|token| token.text == "]")?;
    }
    let value = if is_array || subject.contains('.') { " = {0}" } else { " = 0" };
    let at = all.get(behind - 1)?.end();
    let edits = Edits::new(vec![Insertion { at, text: value.to_owned() }]);
    Some(Candidate { title: format!("gives {name} the value 0 where it is declared"), edits })
}

/// Whether the name with this number stands where a declaration has its name, without an initializer.
fn is_declared(all: &[Token<'_>], number: usize) -> bool {
    let is_word = |t: &Token<'_>| t.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let Some(before) = number.checked_sub(1).map(|before| &all[before]) else { return false };
    let behind_type = is_word(before) && !matches!(before.text, "return" | "else" | "goto" | "case" | "sizeof");
    let mut behind = number + 1;
    while all.get(behind).is_some_and(|t| t.text == "[") {
        match all[behind..].iter().position(|token| token.text == "]") {
            Some(end) => behind += end + 1,
            None => return false,
        }
    }
    let ends = all.get(behind).is_some_and(|t| matches!(t.text, ";" | ","));
    ends && (behind_type || matches!(before.text, "*" | ",") && begins_with_type(all, number))
}

/// Whether the statement around the name with this number begins with two words, or a word and a star, as declarations do.
fn begins_with_type(all: &[Token<'_>], number: usize) -> bool {
    let first = all[..number].iter().rposition(|t| matches!(t.text, ";" | "{" | "}")).map_or(0, |end| end + 1);
    let is_word = |t: &Token<'_>| t.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut depth = 0i32;
    let flat = all[first..number].iter().all(|t| {
        depth += i32::from(t.text == "(") - i32::from(t.text == ")");
        depth == 0 || t.text == ")"
    });
    flat && is_word(&all[first]) && all.get(first + 1).is_some_and(|t| is_word(t) || t.text == "*")
}

/// A pointer that is NULL once what it points to is freed.
fn forgetting(subject: &str, site: Site<'_>) -> Option<Candidate> {
    let pointer = pointer_of(subject)?;
    let all = tokens(site.text);
    let wanted: Vec<&str> = tokens(pointer).iter().map(|t| t.text).collect();
    let call = |at: usize| {
        let end = at + 2 + wanted.len();
        let argument = all.get(at + 2..end)?.iter().map(|t| t.text);
        let (open, close, stop) = (all.get(at + 1)?, all.get(end)?, all.get(end + 1)?);
        let fits = argument.eq(wanted.iter().copied()) && open.text == "(" && close.text == ")" && stop.text == ";";
        fits.then_some(stop.end())
    };
    let before = (0..all.len()).take_while(|at| all[*at].start < site.at).filter(|at| all[*at].text == "free");
    let at = before.filter_map(call).last()?;
    // A branch without braces would forget what is not freed.
    let statement = statement_at(site.text, at - 1).filter(|statement| !statement.is_bare)?;
    let text = format!(" {pointer} = {};", null(site.text));
    let edits = Edits::new(vec![Insertion { at: statement.end, text }]);
    Some(Candidate { title: format!("forgets {pointer} where it is freed"), edits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Failure, Location, Standing, Verdict};

    /// The first candidate's text for a finding of `kind` on `subject` at the `@`, with the lines around left out.
    fn mended(kind: CheckKind, subject: &str, text: &str) -> Option<String> {
        let at = text.find('@').expect("a place");
        let text = text.replace('@', "");
        let finding = Finding {
            id: "7".into(),
            site: None,
            check: kind.into(),
            location: Location { file: "a.c".into(), line: 1, column: 1 },
            function: "f".into(),
            subject: subject.into(),
            verdict: Verdict::Definite(Failure::default()),
            engine: "search".into(),
            weakness: None,
            after_error: Vec::new(),
            access: None,
            cause: None,
            doubt: None,
            rank: None,
            standing: Standing::default(),
        };
        let site = Site { text: &text, at, function: "f", returns: Returns::Number };
        candidates(&finding, site).first().map(|candidate| candidate.edits.apply(&text))
    }

    #[test]
    fn accesses_get_guards() {
        let wanted = "int f(s *p) {\n    if (p->q == 0)\n        return 0;\n    return p->q->x;\n}";
        assert_eq!(
            mended(CheckKind::NullDeref, "p->q->x", "int f(s *p) {\n    return @p->q->x;\n}").as_deref(),
            Some(wanted)
        );
        let wanted = "int f(int *p) {\n\tif (p == NULL)\n\t\treturn -1;\n\t*p = 1; g(NULL); return -1;\n}";
        assert_eq!(
            mended(CheckKind::NullDeref, "*p", "int f(int *p) {\n\t@*p = 1; g(NULL); return -1;\n}").as_deref(),
            Some(wanted)
        );
        let wanted = "int f(int n) { if (n) {\n    if ((unsigned long)n >= sizeof t / sizeof t[0])\n        return 0;\n    t[n] = 1;\n} return 0; }";
        assert_eq!(
            mended(CheckKind::OutOfBounds, "t[n]", "int f(int n) { if (n) @t[n] = 1; return 0; }").as_deref(),
            Some(wanted)
        );
    }

    #[test]
    fn operands_that_do_something_get_none() {
        for (kind, subject) in [
            (CheckKind::NullDeref, "*next()"),
            (CheckKind::NullDeref, "*p++"),
            (CheckKind::DivByZero, "a / (b = c)"),
            (CheckKind::OutOfBounds, "t[i++]"),
        ] {
            assert_eq!(mended(kind, subject, "int f(void) { return @x; }"), None, "{subject}");
        }
    }

    #[test]
    fn numbers_are_kept_from_what_they_must_not_be() {
        let guard = |kind, subject: &str| {
            let text = mended(kind, subject, "int f(int a, int b) {\nreturn @x;\n}").expect("a guard");
            text.lines().nth(1).expect("a line").to_owned()
        };
        assert_eq!(guard(CheckKind::DivByZero, "a / (b - 1)"), "if ((b - 1) == 0)");
        assert_eq!(guard(CheckKind::DivByZero, "a % b"), "if (b == 0)");
        assert_eq!(guard(CheckKind::SignedOverflow, "a + 1"), "if (a > 2147483647 - 1)");
        assert_eq!(guard(CheckKind::SignedOverflow, "a++"), "if (a == 2147483647)");
        assert_eq!(guard(CheckKind::Shift, "1 << b"), "if ((unsigned long)b >= 32)");
    }

    #[test]
    fn variables_get_values_where_they_are_declared() {
        let of = |subject: &str, text: &str| mended(CheckKind::UninitRead, subject, text);
        assert_eq!(
            of("x", "int f(void) { int a = 1, x; return @x; }").as_deref(),
            Some("int f(void) { int a = 1, x = 0; return x; }")
        );
        assert_eq!(
            of("b[i]", "int f(void) { char b[2]; return @b[i]; }").as_deref(),
            Some("int f(void) { char b[2] = {0}; return b[i]; }")
        );
        assert_eq!(of("x", "int f(int x) { return @x; }"), None);
        assert_eq!(of("x", "int f(void) { g(y, x); return @x; }"), None);
    }

    #[test]
    fn what_is_freed_is_forgotten() {
        let text = "int f(void) { if (c) { free(s->p); } @free(s->p); return 0; }";
        let wanted = "int f(void) { if (c) { free(s->p); s->p = 0; } free(s->p); return 0; }";
        assert_eq!(mended(CheckKind::DoubleFree, "free(s->p)", text).as_deref(), Some(wanted));
        assert_eq!(mended(CheckKind::DoubleFree, "free(p)", "int f(void) { if (c) free(p); @free(p); }"), None);
    }
}
