//! File names as URI references.

use std::fmt::Write;

/// The file as the user named it: a relative name stays relative, an absolute one gets the `file` scheme; what URIs do not
/// allow is written as `%` and two digits.
/// See: RFC 3986, sections 2.1, 2.3 and 4.2; RFC 8089, section 2.
pub fn file_uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len() + 8);
    if name.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in name.trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_references() {
        assert_eq!(file_uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(file_uri("./src/a.c"), "src/a.c");
        assert_eq!(file_uri("/usr/include/x.h"), "file:///usr/include/x.h");
        assert_eq!(file_uri("../c:d.c"), "../c%3Ad.c");
        assert_eq!(file_uri("\u{e4}.c"), "%C3%A4.c");
    }
}
