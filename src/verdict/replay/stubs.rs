//! C functions that hand out recorded inputs under the names of library functions.

use super::harness::ResultType;
use super::queues::Role;
use crate::ir::contracts::clause::{Clause, built_in};
use crate::verdict::{InputBox, InputValue};
use std::fmt::Write;

/// A stub and the names that calls of it go by.
#[derive(Debug)]
pub(super) struct Stub {
    pub text: String,
    /// Symbols that the linker leads to `__wrap_` ones.
    pub symbols: Vec<String>,
    /// Whether it needs the reading of `scanf` formats.
    pub scans: bool,
    /// Whether it opens streams.
    pub opens: bool,
}

/// Which arguments a function fills, counted from 0; the first, where nothing says.
fn filled(function: &str) -> Vec<usize> {
    let fills = built_in(function).iter().filter_map(|clause| match *clause {
        Clause::WritesObject { argument } | Clause::WritesObjects { argument, .. } | Clause::Fills { argument } => {
            Some(argument)
        }
        _ => None,
    });
    let fills: Vec<usize> = fills.collect();
    if fills.is_empty() { vec![0] } else { fills }
}

/// A function's name as part of a C name.
fn plain(function: &str) -> String {
    function.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The stub of `function`, or None when it must or can only run as it is. `result`: what the function gives back.
pub(super) fn stub(function: &str, inputs: &[(Role, &InputBox)], result: ResultType) -> Option<Stub> {
    if built_in(function).contains(&Clause::RunsAsItIs) {
        return None;
    }
    let name = plain(function);
    let queue = format!("cellog_queue_{name}");
    let has = |role| inputs.iter().any(|(r, _)| *r == role);
    let wrap = format!("__wrap_{function}");
    let mut symbols = vec![function.to_owned()];
    let (mut scans, mut opens) = (false, false);
    let body = match function {
        "fgets" | "fgets_unlocked" | "fgetws" | "gets" => {
            let unit = if function == "fgetws" { 4 } else { 1 };
            format!(
                "char *{wrap}(char *s) {{\n    if (!cellog_number(&{queue}, CELLOG_SUCCEEDS)) return 0;\n    \
                 cellog_take(&{queue}, CELLOG_LENGTH);\n    cellog_text(&{queue}, s, {unit});\n    return s;\n}}\n"
            )
        }
        "fread" | "fread_unlocked" => transfer(&wrap, &queue, "void *to"),
        "read" | "recv" | "pread" => transfer(&wrap, &queue, "int from, void *to"),
        "recvfrom" => format!(
            "long long {wrap}(int from, void *to, unsigned long n, int flags, void *address, void *length) {{\n    \
             long long count = cellog_number(&{queue}, CELLOG_RESULT);\n    (void)from, (void)n, (void)flags;\n    \
             if (count > 0) cellog_copy(to, cellog_take(&{queue}, CELLOG_BYTES));\n    \
             if (count >= 0 && address) cellog_address(&{queue}, address, length);\n    return count;\n}}\n"
        ),
        "accept" | "getsockname" | "getpeername" => format!(
            "int {wrap}(int socket, void *address, void *length) {{\n    \
             int result = (int)cellog_number(&{queue}, CELLOG_RESULT);\n    (void)socket;\n    \
             if (result >= 0 && address) cellog_address(&{queue}, address, length);\n    return result;\n}}\n"
        ),
        "getenv" | "secure_getenv" => format!(
            "char *{wrap}(void) {{\n    const struct cellog_input *length = cellog_need(&{queue}, CELLOG_LENGTH);\n    \
             const struct cellog_input *fails = cellog_take(&{queue}, CELLOG_FAILS);\n    char *text;\n    \
             if (!length || (fails && fails->number)) return 0;\n    \
             text = calloc((unsigned long)length->number + 1, 1);\n    \
             cellog_text(&{queue}, text, 1);\n    return text;\n}}\n"
        ),
        "scanf" | "fscanf" => {
            scans = true;
            let file = if function == "fscanf" { "void *file, " } else { "" };
            let mut text = String::new();
            symbols.clear();
            for symbol in [function.to_owned(), format!("__isoc99_{function}"), format!("__isoc23_{function}")] {
                let _ = write!(
                    text,
                    "int __wrap_{symbol}({file}const char *format, ...) {{\n    va_list list;\n    int count;\n    \
                     va_start(list, format);\n    count = cellog_scan(&{queue}, format, list);\n    va_end(list);\n    \
                     return count;\n}}\n"
                );
                symbols.push(symbol);
            }
            text
        }
        "time" => format!(
            "long {wrap}(long *to) {{\n    long now = (long)cellog_number(&{queue}, CELLOG_RESULT);\n    \
             if (to) *to = now;\n    return now;\n}}\n"
        ),
        "fopen" | "fopen64" | "fdopen" | "freopen" | "popen" | "tmpfile" => {
            opens = true;
            format!(
                "void *{wrap}(void) {{\n    return cellog_number(&{queue}, CELLOG_FAILS) ? 0 : cellog_open();\n}}\n"
            )
        }
        _ if has(Role::Fails) => {
            // Only a failure must be forced.
            if !inputs.iter().any(|(_, i)| number(i.witness()) != 0) {
                return None;
            }
            format!(
                "void *__real_{function}(void *, void *, void *, void *);\n\
                 void *{wrap}(void *a, void *b, void *c, void *d) {{\n    \
                 const struct cellog_input *fails = cellog_take(&{queue}, CELLOG_FAILS);\n    \
                 return fails && fails->number ? 0 : __real_{function}(a, b, c, d);\n}}\n"
            )
        }
        _ if has(Role::Result) => given(function, &wrap, &queue, result, has(Role::Bytes))?,
        _ => return None,
    };
    Some(Stub { text: format!("{}{body}", table(function, &name, inputs)), symbols, scans, opens })
}

/// A function that gives a count and, when it is above 0, as many bytes (or items of bytes).
fn transfer(wrap: &str, queue: &str, parameters: &str) -> String {
    let unused = if parameters.starts_with("int") { "    (void)from;\n" } else { "" };
    format!(
        "long long {wrap}({parameters}) {{\n    long long count = cellog_number(&{queue}, CELLOG_RESULT);\n{unused}    \
         cellog_copy(to, cellog_take(&{queue}, CELLOG_BYTES));\n    return count;\n}}\n"
    )
}

/// A function that gives a number, and perhaps fills what its arguments point to.
fn given(function: &str, wrap: &str, queue: &str, result: ResultType, fills: bool) -> Option<String> {
    let (ty, get) = match result {
        ResultType::Integer => ("long long", format!("cellog_number(&{queue}, CELLOG_RESULT)")),
        ResultType::Float => ("float", String::new()),
        ResultType::Double => ("double", String::new()),
        ResultType::Other => return None,
    };
    if !fills {
        return Some(if get.is_empty() {
            format!(
                "{ty} {wrap}(void) {{\n    const struct cellog_input *input = cellog_need(&{queue}, CELLOG_RESULT);\n    \
                 return input ? ({ty})input->real : 0;\n}}\n"
            )
        } else {
            format!("{ty} {wrap}(void) {{\n    return {get};\n}}\n")
        });
    }
    let mut text = format!("long long {wrap}(void *a0, void *a1, void *a2) {{\n    long long result;\n");
    text.push_str("    void *const to[] = { a0, a1, a2 };\n    (void)to;\n");
    let _ = writeln!(text, "    result = {get};");
    for argument in filled(function) {
        let _ = writeln!(
            text,
            "    if (result >= 0 && to[{argument}]) cellog_copy(to[{argument}], cellog_take(&{queue}, CELLOG_BYTES));"
        );
    }
    let _ = write!(text, "    return result;\n}}\n");
    (result == ResultType::Integer).then_some(text)
}

/// The recorded inputs as C tables.
fn table(function: &str, name: &str, inputs: &[(Role, &InputBox)]) -> String {
    let mut out =
        format!("\n/* What {function}() gives. */\nstatic const struct cellog_input cellog_inputs_{name}[] = {{\n");
    for (role, input) in inputs {
        let (number, real, bytes, size) = match input.witness() {
            InputValue::Int { low, .. } => (integer(*low), "0".to_owned(), "0".to_owned(), 0),
            InputValue::Float { low, .. } => ("0".to_owned(), float(*low), "0".to_owned(), 0),
            InputValue::Bytes(bytes) | InputValue::ByteRanges { low: bytes, .. } => {
                ("0".to_owned(), "0".to_owned(), string(bytes), bytes.len())
            }
        };
        let place = comment(&input.location.to_string());
        let _ = writeln!(out, "    {{ {}, {number}, {real}, {bytes}, {size} }}, /* {place} */", role.name());
    }
    let _ = writeln!(
        out,
        "}};\nstatic struct cellog_queue cellog_queue_{name} = {{ \"{function}()\", cellog_inputs_{name}, {}, 0, 0 }};",
        inputs.len()
    );
    out
}

/// Text that cannot end a comment.
pub(super) fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

fn number(value: &InputValue) -> i128 {
    match value {
        InputValue::Int { low, .. } => *low,
        _ => 0,
    }
}

/// An integer constant of C.
pub(super) fn integer(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        Ok(value) => format!("{value}LL"),
        // Cut to 64 bits: what is wider is no result of a library function.
        Err(_) => format!("(long long){}ULL", value as u64),
    }
}

/// A floating constant of C.
pub(super) fn float(value: f64) -> String {
    if value.is_nan() {
        "__builtin_nan(\"\")".to_owned()
    } else if value.is_infinite() {
        format!("{}__builtin_inf()", if value < 0.0 { "-" } else { "" })
    } else {
        format!("{value:?}")
    }
}

/// A string literal of C with exactly these bytes.
pub(super) fn string(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(b));
            }
            // Question marks might make trigraphs.
            b' '..=b'~' if b != b'?' => out.push(char::from(b)),
            _ => {
                let _ = write!(out, "\\{b:03o}");
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_exact() {
        assert_eq!(string(b"a\"\\?\n\xff1"), "\"a\\\"\\\\\\077\\012\\3771\"");
        assert_eq!(integer(i64::MIN.into()), "(-9223372036854775807LL - 1)");
        assert_eq!(integer(u64::MAX.into()), "(long long)18446744073709551615ULL");
        assert_eq!([float(1.0), float(1e300), float(-0.5)], ["1.0", "1e300", "-0.5"]);
        assert_eq!(float(f64::NEG_INFINITY), "-__builtin_inf()");
    }
}
