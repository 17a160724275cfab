//! What might mend a definite finding, by its check and the text of what is judged: a guard in front of the statement, a bound of what a
//! call takes, a value at a declaration, memory that is freed another time. Whether one of them does is for [`super::recheck`] to say.

use super::candidate::{Candidate, Judged, Returns, Site, null};
use super::condition::{narrowing, overflow};
use super::edit::{Edit, Edits};
use super::expression::{arguments, index_of, is_pure, operands, pointer_of, primary};
use super::free::{forgetting, freeing_later};
use super::room::{displacement, room};
use super::statement::{Statement, Token, statement_at, tokens};
use crate::ir::CheckKind;
use crate::verdict::{Check, Finding};

/// What might mend `finding`, the likeliest first.
pub fn candidates(finding: &Finding, site: Site<'_>) -> Vec<Candidate> {
    let Check::Site(kind) = finding.check else { return Vec::new() };
    let subject = finding.subject.as_str();
    let range = || match site.judged {
        Some(Judged::Range(range)) => Some(range),
        _ => None,
    };
    let all = match kind {
        CheckKind::NullDeref => {
            let is_null = |pointer| format!("{} == {}", primary(pointer), null(site.text));
            pointer_of(subject).map(|pointer| guards(&is_null(pointer), site)).unwrap_or_default()
        }
        CheckKind::DivByZero => operands(subject, &["/", "%", "/=", "%="])
            .map(|(_, _, divisor)| guards(&format!("{} == 0", primary(divisor)), site))
            .unwrap_or_default(),
        CheckKind::OutOfBounds | CheckKind::IndexBound => beyond(subject, site),
        CheckKind::Shift => match (site.judged, operands(subject, &["<<", ">>", "<<=", ">>="])) {
            (Some(Judged::Shift(bits)), Some((_, _, count))) => {
                guards(&format!("(unsigned long){} >= {bits}", primary(count)), site)
            }
            _ => Vec::new(),
        },
        CheckKind::SignedOverflow | CheckKind::UnsignedOverflow => range()
            .and_then(|range| overflow(subject, range))
            .map(|condition| guards(&condition, site))
            .unwrap_or_default(),
        CheckKind::Conversion | CheckKind::FloatConversion => range()
            .zip(statement_at(site.text, site.at))
            .and_then(|(range, statement)| {
                let is_float = kind == CheckKind::FloatConversion;
                narrowing(&site.text[statement.start..statement.end], range, is_float)
            })
            .map(|condition| guards(&condition, site))
            .unwrap_or_default(),
        CheckKind::UninitRead => initializer(subject, site).into_iter().collect(),
        CheckKind::DoubleFree => forgetting(subject, site),
        CheckKind::UseAfterFree => freeing_later(site),
        _ => Vec::new(),
    };
    let ended = |candidate: Candidate| Candidate { edits: candidate.edits.with_line_ends_of(site.text), ..candidate };
    all.into_iter().map(ended).collect()
}

/// Guards that leave the loop or the function where `condition` holds.
fn guards(condition: &str, site: Site<'_>) -> Vec<Candidate> {
    let Some(statement) = statement_at(site.text, site.at) else { return Vec::new() };
    let leave = match site.returns {
        Returns::Nothing => Some("return;".to_owned()),
        Returns::Number => Some(format!("return {};", failure_value(site))),
        Returns::Pointer => Some(format!("return {};", null(site.text))),
        Returns::Record => None,
    };
    let leave = leave.map(|leave| guard(condition, &leave, site.function, statement, site.text));
    let stop = statement.is_in_loop.then(|| guard(condition, "break;", "the loop", statement, site.text));
    stop.into_iter().chain(leave).collect()
}

/// A guard in front of a statement.
fn guard(condition: &str, leave: &str, what: &str, statement: Statement, text: &str) -> Candidate {
    let Statement { start, end, is_bare, .. } = statement;
    let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let indent: String = text[line..start].chars().take_while(|c| c.is_whitespace()).collect();
    let unit = if indent.contains('\t') { "\t" } else { "    " };
    let edits = if is_bare {
        let inner = format!("{indent}{unit}");
        let guard = format!("{{\n{inner}if ({condition})\n{inner}{unit}{leave}\n{inner}");
        vec![Edit::insertion(start, guard), Edit::insertion(end, format!("\n{indent}}}"))]
    } else {
        vec![Edit::insertion(start, format!("if ({condition})\n{indent}{unit}{leave}\n{indent}"))]
    };
    Candidate { title: format!("leaves {what} where {condition}"), edits: Edits::new(edits), is_guard: true }
}

/// What keeps an access within the memory that the text around it says is there.
fn beyond(subject: &str, site: Site<'_>) -> Vec<Candidate> {
    let room_of = |pointer: &str| room(pointer, site.text, site.at, site.is_array);
    let pointer = index_of(subject).map(|(array, _)| array).or_else(|| pointer_of(subject));
    if let Some(moved) = pointer.and_then(|pointer| displacement(pointer, site.text, site.at)) {
        let title = format!("has {} begin where its memory does", pointer.unwrap_or_default());
        let gone = Edit { at: moved.start, removed: moved.len(), text: String::new() };
        return vec![Candidate::changing(title, vec![gone])];
    }
    if let Some((array, index)) = index_of(subject) {
        let Some(bytes) = room_of(array) else { return Vec::new() };
        return guards(&format!("(unsigned long){} >= {bytes} / sizeof {array}[0]", primary(index)), site);
    }
    let all = tokens(site.text);
    let call = all.iter().position(|token| token.start == site.at);
    let Some((call, parts)) = call.and_then(|call| Some((call, arguments(site.text, &all, call)?))) else {
        return Vec::new();
    };
    let Some(bytes) = pointer_of(subject).and_then(room_of) else { return Vec::new() };
    let argument = |number: usize| parts.get(number).map(|(_, part)| *part).filter(|part| is_pure(part));
    let name = all[call].text;
    let bound = |number: usize, bytes: String| {
        let (place, part) = parts.get(number)?;
        let bytes = bytes.strip_prefix('(').and_then(|b| b.strip_suffix(')')).map(str::to_owned).unwrap_or(bytes);
        let edit = Edit { at: place.start, removed: part.len(), text: bytes.clone() };
        Some(Candidate::changing(format!("has {name} take no more than {bytes}"), vec![edit]))
    };
    let guarded = |condition: Option<String>| condition.map(|c| guards(&c, site)).unwrap_or_default();
    match name {
        "memcpy" | "memmove" | "memset" | "strncpy" | "mempcpy" => {
            let condition = argument(2).map(|count| format!("{} > {bytes}", primary(count)));
            bound(2, bytes).into_iter().chain(guarded(condition)).collect()
        }
        "strncat" => {
            let left = argument(0).map(|text| format!("{bytes} - strlen({text}) - 1"));
            left.and_then(|left| bound(2, left)).into_iter().collect()
        }
        "fgets" | "snprintf" => bound(1, bytes).into_iter().collect(),
        "strcpy" => guarded(argument(1).map(|text| format!("strlen({text}) >= {bytes}"))),
        "strcat" => {
            let both = argument(0).zip(argument(1));
            guarded(both.map(|(a, b)| format!("strlen({a}) + strlen({b}) >= {bytes}")))
        }
        _ => Vec::new(),
    }
}

/// What the function gives back where it fails: -1 where something in the file does so, 1 of `main`, else 0.
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
    let title = format!("gives {name} the value 0 where it is declared");
    Some(Candidate::changing(title, vec![Edit::insertion(at, value.to_owned())]))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Failure, Location, Verdict};

    /// The first candidate's text for a finding of `kind` on `subject` at the `@`, with the lines around left out.
    fn mended(kind: CheckKind, subject: &str, text: &str) -> Option<String> {
        let at = text.find('@').expect("a place");
        let text = text.replace('@', "");
        let location = Location { file: "a.c".into(), line: 1, column: 1 };
        let verdict = Verdict::Definite(Failure::default());
        let finding = Finding::at(kind, location, "f", subject, verdict, "search");
        let judged = match kind {
            CheckKind::Shift => Judged::Shift(32),
            _ => Judged::Range((i32::MIN.into(), i32::MAX.into())),
        };
        let is_array = |name: &str| name == "t";
        let site = Site {
            text: &text,
            at,
            function: "f",
            returns: Returns::Number,
            judged: Some(judged),
            is_array: &is_array,
        };
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
    fn loops_are_left_and_calls_take_no_more_than_there_is() {
        let text = "int f(int n) {\n  while (n) {\n    @t[n] = 1;\n  }\n}";
        let wanted = "int f(int n) {\n  while (n) {\n    if ((unsigned long)n >= sizeof t / sizeof t[0])\n        break;\n    t[n] = 1;\n  }\n}";
        assert_eq!(mended(CheckKind::OutOfBounds, "t[n]", text).as_deref(), Some(wanted));
        let of = |subject: &str, text: &str| mended(CheckKind::OutOfBounds, subject, text).unwrap_or_default();
        let text = "int f(void) { char *p = malloc(5 * n); @memcpy(p, q, 9 + 1); }";
        assert_eq!(of("memcpy(p)", text), text.replace('@', "").replace("9 + 1", "5 * n"));
        let text = "int f(void) {\n@strcpy(t, q);\n}";
        assert_eq!(of("strcpy(t)", text), "int f(void) {\nif (strlen(q) >= sizeof t)\n    return 0;\nstrcpy(t, q);\n}");
        assert_eq!(of("memcpy(q)", "int f(void) { @memcpy(t, q, 3); }"), "");
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
}
