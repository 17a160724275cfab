//! The statement that a place of a C text stands in, from the text alone: what is not preprocessed may not be complete C, and what
//! cannot be followed has no statement.

/// A statement, in bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
    /// It is the branch of an `if` or the body of a loop, without braces.
    pub is_bare: bool,
    /// A `break` in front of it leaves a loop.
    pub is_in_loop: bool,
}

/// A piece of C text that is neither blank nor comment nor directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    pub start: usize,
    pub text: &'t str,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The statement before which something can be inserted that is done each time before what stands at byte `at`: a simple statement, or one
/// whose condition it is. None for conditions of loops, and outside of functions.
pub fn statement_at(text: &str, at: usize) -> Option<Statement> {
    let tokens = tokens(text);
    let body = body_around(&tokens, at)?;
    let mut walk = Walk { tokens: &tokens, at, is_in_loop: false, found: None, around: Vec::new() };
    walk.block(body)?;
    walk.found?
}

/// The statements of blocks that have byte `at` in them, the outermost first.
pub fn enclosing(text: &str, at: usize) -> Option<Vec<Statement>> {
    let tokens = tokens(text);
    let body = body_around(&tokens, at)?;
    let mut walk = Walk { tokens: &tokens, at, is_in_loop: false, found: None, around: Vec::new() };
    walk.block(body)?;
    walk.around.reverse();
    Some(walk.around)
}

/// The byte at which the body of the function begins that has `at` in it.
pub fn function_around(text: &str, at: usize) -> Option<usize> {
    let tokens = tokens(text);
    body_around(&tokens, at).map(|body| tokens[body].start)
}

/// The number of the `{` of the function whose body has `at` in it.
pub fn body_around(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let (mut depth, mut open) = (0usize, None);
    for (number, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => {
                if depth == 0 {
                    open = number.checked_sub(1).filter(|before| tokens[*before].text == ")").map(|_| number);
                }
                depth += 1;
            }
            "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && token.start >= at {
                    return open.filter(|open| tokens[*open].start < at);
                }
            }
            _ => {}
        }
    }
    None
}

/// A walk over the statements of a function.
struct Walk<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    /// Whether what is walked over lies in a loop, and in no `switch` inside of it.
    is_in_loop: bool,
    /// The innermost statement so far that has the place in it; None inside for one that nothing can stand before.
    found: Option<Option<Statement>>,
    /// The statements of blocks so far that have the place in them, the innermost first.
    around: Vec<Statement>,
}

impl Walk<'_> {
    fn text(&self, number: usize) -> &str {
        self.tokens.get(number).map_or("", |token| token.text)
    }

    fn has(&self, first: usize, behind: usize) -> bool {
        let Some(last) = behind.checked_sub(1).and_then(|last| self.tokens.get(last)) else { return false };
        self.tokens.get(first).is_some_and(|first| first.start <= self.at) && self.at < last.end()
    }

    /// The statement of these tokens.
    fn span(&self, first: usize, behind: usize, is_bare: bool) -> Option<Statement> {
        let (start, end) = (self.tokens.get(first)?.start, self.tokens.get(behind - 1)?.end());
        Some(Statement { start, end, is_bare, is_in_loop: self.is_in_loop })
    }

    fn note(&mut self, first: usize, behind: usize, is_bare: bool) {
        if let Some(statement) = self.span(first, behind, is_bare) {
            self.found = Some(Some(statement));
        }
    }

    /// The number behind the block that begins with the `{` at `number`.
    fn block(&mut self, number: usize) -> Option<usize> {
        let mut next = number + 1;
        while self.text(next) != "}" {
            let first = next;
            next = self.statement(first, false)?;
            if self.has(first, next) {
                self.around.extend(self.span(first, next, false));
            }
        }
        Some(next + 1)
    }

    /// The number behind the statement that begins at `first`.
    fn statement(&mut self, first: usize, is_bare: bool) -> Option<usize> {
        match self.text(first) {
            "" => None,
            "{" => self.block(first),
            word @ ("if" | "switch" | "while" | "for") => {
                let is_loop = matches!(word, "while" | "for");
                let is_if = word == "if";
                let header = self.brackets(first + 1)?;
                let in_header = self.has(first + 1, header);
                let outside = self.is_in_loop;
                self.is_in_loop = is_loop || is_if && outside;
                let mut behind = self.statement(header, true)?;
                if is_if && self.text(behind) == "else" {
                    behind = self.statement(behind + 1, true)?;
                }
                self.is_in_loop = outside;
                if in_header {
                    match is_loop {
                        true => self.found = Some(None),
                        false => self.note(first, behind, is_bare),
                    }
                }
                Some(behind)
            }
            "do" => {
                let outside = std::mem::replace(&mut self.is_in_loop, true);
                let header = self.statement(first + 1, true)? + 1;
                self.is_in_loop = outside;
                let behind = self.brackets(header)?;
                if self.has(header, behind) {
                    self.found = Some(None);
                }
                Some(behind + 1)
            }
            "case" => {
                let colon = (first..self.tokens.len()).find(|n| self.text(*n) == ":")?;
                self.statement_or_end(colon + 1)
            }
            _ if self.text(first + 1) == ":" => self.statement_or_end(first + 2),
            _ => {
                let mut behind = first;
                while self.text(behind) != ";" {
                    behind = match self.text(behind) {
                        "" | "}" | ")" | "]" => return None,
                        "(" | "[" | "{" => self.brackets(behind)?,
                        _ => behind + 1,
                    };
                }
                if self.has(first, behind + 1) {
                    self.note(first, behind + 1, is_bare);
                }
                Some(behind + 1)
            }
        }
    }

    /// What stands behind a label, which may be nothing.
    fn statement_or_end(&mut self, first: usize) -> Option<usize> {
        if self.text(first) == "}" { Some(first) } else { self.statement(first, false) }
    }

    /// The number behind the bracket that closes the one at `open`.
    fn brackets(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for number in open..self.tokens.len() {
            match self.text(number) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return (number > open).then_some(number + 1);
            }
        }
        None
    }
}

/// The tokens of a text: words, numbers, literals and operators, the longest first.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    const OPERATORS: [&str; 22] = [
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=",
        "-=", "&=", "^=", "|=",
    ];
    let mut tokens = Vec::new();
    let (mut at, mut starts_line) = (0, true);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = if c == '\n' {
            starts_line = true;
            at += 1;
            continue;
        } else if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if let Some(comment) = rest.strip_prefix("/*") {
            at += comment.find("*/").map_or(rest.len(), |end| end + 4);
            continue;
        } else if c == '#' && starts_line {
            at += directive(rest);
            continue;
        } else if c == '"' || c == '\'' {
            literal(rest, c)
        } else if c.is_ascii_digit() {
            rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len())
        } else if is_word(c) {
            rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
        } else {
            OPERATORS.iter().find(|operator| rest.starts_with(**operator)).map_or(c.len_utf8(), |o| o.len())
        };
        tokens.push(Token { start: at, text: &rest[..length] });
        starts_line = false;
        at += length;
    }
    tokens
}

/// The length of a directive, up to the end of its last line.
fn directive(rest: &str) -> usize {
    let mut end = 0;
    loop {
        let line = rest[end..].find('\n').map_or(rest.len(), |n| end + n);
        let goes_on = rest[..line].trim_end_matches('\r').ends_with('\\');
        if !goes_on || line == rest.len() {
            return line;
        }
        end = line + 1;
    }
}

/// The length of a literal that begins with `quote`; up to the end of the line where it does not end.
fn literal(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if !is_escaped => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statement around the `@` of a text, which is taken out; `bare: ` in front where it has no braces around.
    fn found(text: &str) -> Option<String> {
        let at = text.find('@').expect("a place");
        let text = text.replace('@', "");
        let statement = statement_at(&text, at)?;
        let bare = if statement.is_bare { "bare: " } else { "" };
        Some(format!("{bare}{}", &text[statement.start..statement.end]))
    }

    #[test]
    fn simple_statements_end_with_their_semicolon() {
        assert_eq!(found("int f(int *p) { g(1); return @*p + 1; }").as_deref(), Some("return *p + 1;"));
        assert_eq!(
            found("int f(int *p) {\n  int x = @*p, y[2] = {1, 2};\n}").as_deref(),
            Some("int x = *p, y[2] = {1, 2};")
        );
        assert_eq!(found("void f(int *p) { switch (1) { case 1: @*p = 2; } }").as_deref(), Some("*p = 2;"));
        assert_eq!(found("void f(int *p) { end: @*p = c ? 1 : 2; }").as_deref(), Some("*p = c ? 1 : 2;"));
    }

    #[test]
    fn branches_without_braces_are_bare() {
        assert_eq!(found("void f(int *p) { if (p) @*p = 1; else g(); }").as_deref(), Some("bare: *p = 1;"));
        assert_eq!(found("void f(int *p) { if (p) g(); else @*p = 1; }").as_deref(), Some("bare: *p = 1;"));
        assert_eq!(found("void f(int *p) { for (;;) @*p = 1; }").as_deref(), Some("bare: *p = 1;"));
        assert_eq!(found("void f(int *p) { while (1) { @*p = 1; } }").as_deref(), Some("*p = 1;"));
    }

    #[test]
    fn loops_around_are_seen_and_switches_hide_them() {
        let is_in_loop = |text: &str| {
            let at = text.find('@').expect("a place");
            statement_at(&text.replace('@', ""), at).expect("a statement").is_in_loop
        };
        assert!(is_in_loop("void f(int *p) { for (;;) { if (p) @*p = 1; } }"));
        assert!(is_in_loop("void f(int *p) { do @*p = 1; while (1); }"));
        assert!(!is_in_loop("void f(int *p) { while (1) switch (1) { case 1: @*p = 1; } }"));
        assert!(!is_in_loop("void f(int *p) { while (1) ; @*p = 1; }"));
    }

    #[test]
    fn conditions_belong_to_the_whole_statement_and_those_of_loops_to_none() {
        let text = "void f(int *p) { if (@*p) { g(); } else h(); i(); }";
        assert_eq!(found(text).as_deref(), Some("if (*p) { g(); } else h();"));
        assert_eq!(found("void f(int *p) { if (a) b(); else if (@*p) c(); }").as_deref(), Some("bare: if (*p) c();"));
        assert_eq!(found("void f(int *p) { while (@*p) g(); }"), None);
        assert_eq!(found("void f(int *p) { for (i = 0; @*p; i++) g(); }"), None);
        assert_eq!(found("void f(int *p) { do g(); while (@*p); }"), None);
        assert_eq!(found("void f(int *p) { do @*p = 1; while (1); }").as_deref(), Some("bare: *p = 1;"));
    }

    #[test]
    fn comments_literals_and_directives_are_passed_over() {
        let text =
            "/* ( */ #define A(\nvoid f(int *p) {\n#if 1\n  s = \"}\\\"\"; c = '{';\n#endif\n  // ;\n  @*p = 1;\n}\n";
        assert_eq!(found(&text.replace("/* ( */ ", "")).as_deref(), Some("*p = 1;"));
    }

    #[test]
    fn what_cannot_be_followed_has_no_statement() {
        assert_eq!(found("int x = @1;"), None);
        assert_eq!(found("void f(void) { g(; @h(); "), None);
        assert_eq!(found("void f(void) { g(); }\nint t[] = { @1 };"), None);
    }
}
