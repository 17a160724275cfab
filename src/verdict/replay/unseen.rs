//! Library functions that sanitizers do not look into, in C that they do look into.

use super::stubs::Stub;

/// Names with parameters and bodies. What they write is judged at each assignment.
const UNSEEN: &[(&str, &str)] = &[
    (
        "wcscpy",
        "(WIDE *to, const WIDE *from) {\n    WIDE *at = to;\n    while ((*at++ = *from++)) {\n    }\n    return to;\n}\n",
    ),
    (
        "wcsncpy",
        "(WIDE *to, const WIDE *from, SIZE n) {\n    SIZE i = 0;\n    for (; i < n && from[i]; i++) to[i] = from[i];\n    \
         for (; i < n; i++) to[i] = 0;\n    return to;\n}\n",
    ),
    (
        "wmemcpy",
        "(WIDE *to, const WIDE *from, SIZE n) {\n    for (SIZE i = 0; i < n; i++) to[i] = from[i];\n    return to;\n}\n",
    ),
    (
        "wmemmove",
        "(WIDE *to, const WIDE *from, SIZE n) {\n    if (to <= from) for (SIZE i = 0; i < n; i++) to[i] = from[i];\n    \
         else while (n-- > 0) to[n] = from[n];\n    return to;\n}\n",
    ),
    (
        "wmemset",
        "(WIDE *to, WIDE value, SIZE n) {\n    for (SIZE i = 0; i < n; i++) to[i] = value;\n    return to;\n}\n",
    ),
];

/// The stand-in for the library function whose access is judged, if sanitizers miss it; `subject`: what is judged, `wcscpy(to)`.
pub(super) fn unseen(subject: &str) -> Option<Stub> {
    let (called, _) = subject.split_once('(')?;
    let (name, body) = UNSEEN.iter().find(|(name, _)| *name == called)?;
    let body = body.replace("WIDE", "__WCHAR_TYPE__").replace("SIZE", "__SIZE_TYPE__");
    let text = format!("\n/* Sanitizers do not look into the library's own. */\n__WCHAR_TYPE__ *__wrap_{name}{body}");
    Some(Stub { text, symbols: vec![(*name).to_owned()], scans: false, opens: false })
}

#[cfg(test)]
mod tests {
    use super::unseen;

    #[test]
    fn only_functions_that_sanitizers_miss_are_replaced() {
        let stub = unseen("wcscpy(dest)").expect("it is one of them");
        assert_eq!(stub.symbols, ["wcscpy"]);
        assert!(stub.text.contains("*__wrap_wcscpy(__WCHAR_TYPE__ *to"), "{}", stub.text);
        for other in ["strcpy(dest)", "wcscpy", "my_wcscpy(dest)", "a[i]"] {
            assert!(unseen(other).is_none(), "{other}");
        }
    }
}
