//! Which lines of a C text each function and each other declaration with braces takes, from the text alone: it need not be complete C,
//! and nothing of it is preprocessed.

/// The lines of a declaration, from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub first: u32,
    pub last: u32,
    /// Parentheses stand before its braces.
    pub is_function: bool,
}

/// The declarations with braces outside of all others, in order. Of branches of a conditional, each counts from the braces that
/// were open before it.
pub fn extents(text: &str) -> Vec<Extent> {
    let mut scan = Scan { extents: Vec::new(), depth: 0, first: None, parentheses: false, initializer: false, line: 1 };
    let mut conditionals: Vec<u32> = Vec::new();
    let mut characters = text.chars().peekable();
    let mut starts_line = true;
    while let Some(c) = characters.next() {
        match c {
            '\n' => scan.line += 1,
            '#' if starts_line => {
                let directive = directive(&mut characters, &mut scan.line);
                match directive.as_str() {
                    "if" | "ifdef" | "ifndef" => conditionals.push(scan.depth),
                    "else" | "elif" => scan.depth = conditionals.last().copied().unwrap_or(scan.depth),
                    "endif" => drop(conditionals.pop()),
                    _ => {}
                }
                continue;
            }
            '/' if characters.peek() == Some(&'/') => {
                while characters.peek().is_some_and(|c| *c != '\n') {
                    characters.next();
                }
            }
            '/' if characters.peek() == Some(&'*') => {
                characters.next();
                let mut before = ' ';
                for c in characters.by_ref() {
                    scan.line += u32::from(c == '\n');
                    if (before, c) == ('*', '/') {
                        break;
                    }
                    before = c;
                }
                continue;
            }
            '"' | '\'' => {
                scan.begin();
                while let Some(inner) = characters.next() {
                    scan.line += u32::from(inner == '\n');
                    match inner {
                        '\\' => scan.line += u32::from(characters.next() == Some('\n')),
                        // What does not end in its line is no literal.
                        '\n' => break,
                        _ if inner == c => break,
                        _ => {}
                    }
                }
            }
            c if c.is_whitespace() => {}
            c => scan.token(c),
        }
        starts_line = c == '\n' || starts_line && c.is_whitespace();
    }
    scan.extents
}

struct Scan {
    extents: Vec<Extent>,
    depth: u32,
    /// Where the declaration begins that is being read.
    first: Option<u32>,
    parentheses: bool,
    initializer: bool,
    line: u32,
}

impl Scan {
    fn begin(&mut self) {
        self.first.get_or_insert(self.line);
    }

    fn token(&mut self, c: char) {
        match (c, self.depth) {
            (';', 0) => self.end(),
            ('{', _) => {
                self.begin();
                self.depth += 1;
            }
            ('}', 0) => {}
            ('}', 1) => {
                self.depth = 0;
                let is_function = self.parentheses && !self.initializer;
                self.extents.push(Extent { first: self.first.unwrap_or(self.line), last: self.line, is_function });
                self.end();
            }
            ('}', _) => self.depth -= 1,
            _ => {
                self.begin();
                if self.depth == 0 {
                    self.parentheses |= c == '(';
                    self.initializer |= c == '=';
                }
            }
        }
    }

    fn end(&mut self) {
        (self.first, self.parentheses, self.initializer) = (None, false, false);
    }
}

/// The name of a directive behind its `#`, which is read to its end.
fn directive(characters: &mut std::iter::Peekable<std::str::Chars<'_>>, line: &mut u32) -> String {
    let mut text = String::new();
    while let Some(c) = characters.peek().copied().filter(|c| *c != '\n') {
        characters.next();
        if c == '\\' && characters.peek() == Some(&'\n') {
            characters.next();
            *line += 1;
        }
        text.push(c);
    }
    text.trim_start().chars().take_while(char::is_ascii_alphabetic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(u32, u32, bool)> {
        extents(text).into_iter().map(|e| (e.first, e.last, e.is_function)).collect()
    }

    #[test]
    fn functions_are_told_from_types_and_tables() {
        let text = "int a;\nstatic int\nf(int x)\n{\n  if (x) { g(); }\n  return 1;\n}\nstruct s {\n int m;\n};\nint t[] = {\n F(1),\n};\nint g(void) { return 0; }\n";
        assert_eq!(of(text), [(2, 7, true), (8, 10, false), (11, 13, false), (14, 14, true)]);
    }

    #[test]
    fn braces_in_comments_literals_and_macros_do_not_count() {
        let text = "/* { */ // {\n#define M { \\\n  {\nint f(void) {\n  char c = '{', d = '\\'', *s = \"}\\\"{\";\n  return c;\n}\nint g(void) {\n}\n";
        assert_eq!(of(text), [(4, 7, true), (8, 9, true)]);
    }

    #[test]
    fn branches_of_a_conditional_open_the_same_braces() {
        let text = "int f(void)\n#ifdef A\n{ if (x) {\n#else\n{ if (y) {\n#endif\n  }\n}\nint g(void) {\n}\n";
        assert_eq!(of(text), [(1, 8, true), (9, 10, true)]);
    }

    #[test]
    fn what_is_not_finished_is_no_harm() {
        assert_eq!(of("int f(void) {\n"), []);
        assert_eq!(of("}\nint f(void) {\n}\n\"open\nint g(void) {}\n").len(), 2);
    }
}
