//! S-expressions as solvers answer them, and values read from them.

use std::fmt;
use std::io::{self, BufRead};

use super::super::bits::BitVec;
use super::super::sort::{ScalarSort, Sort};
use super::super::value::{ArrayValue, ScalarValue, Value};

/// An S-expression; symbols without their quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Sexpr {
    Atom(String),
    /// A string literal, without its quotes.
    Text(String),
    List(Vec<Sexpr>),
}

impl fmt::Display for Sexpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexpr::Atom(atom) => f.write_str(atom),
            Sexpr::Text(text) => write!(f, "{text:?}"),
            Sexpr::List(items) => {
                f.write_str("(")?;
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        f.write_str(" ")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Deeper answers are refused: dropping one takes stack.
const DEEPEST: usize = 10_000;

/// Reads S-expressions from a stream, as soon as each is complete.
pub(in super::super) struct Reader<R> {
    input: R,
    peeked: Option<u8>,
}

impl<R: BufRead> Reader<R> {
    pub(in super::super) fn new(input: R) -> Self {
        Reader { input, peeked: None }
    }

    /// The next S-expression; `None` at the end of the stream.
    pub(in super::super) fn read(&mut self) -> io::Result<Option<Sexpr>> {
        // Lists that are open, outermost first: no recursion, whatever a solver answers.
        let mut open: Vec<Vec<Sexpr>> = Vec::new();
        loop {
            let Some(byte) = self.next()? else {
                return if open.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
            };
            let complete = match byte {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b';' => {
                    self.until(b'\n')?;
                    continue;
                }
                b'(' if open.len() == DEEPEST => return Err(io::ErrorKind::InvalidData.into()),
                b'(' => {
                    open.push(Vec::new());
                    continue;
                }
                b')' => Sexpr::List(open.pop().ok_or(io::ErrorKind::InvalidData)?),
                b'|' => Sexpr::Atom(self.until(b'|')?),
                b'"' => {
                    let mut text = self.until(b'"')?;
                    // A doubled quote stands for one.
                    while self.peek()? == Some(b'"') {
                        self.next()?;
                        text.push('"');
                        text.push_str(&self.until(b'"')?);
                    }
                    Sexpr::Text(text)
                }
                first => {
                    let mut atom = vec![first];
                    while let Some(byte) = self.peek()?
                        && !b" \t\r\n();|\"".contains(&byte)
                    {
                        atom.push(byte);
                        self.next()?;
                    }
                    Sexpr::Atom(String::from_utf8_lossy(&atom).into_owned())
                }
            };
            match open.last_mut() {
                Some(list) => list.push(complete),
                None => return Ok(Some(complete)),
            }
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.peeked.is_none() {
            self.peeked = self.input.fill_buf()?.first().copied();
            self.input.consume(usize::from(self.peeked.is_some()));
        }
        Ok(self.peeked)
    }

    fn next(&mut self) -> io::Result<Option<u8>> {
        self.peek()?;
        Ok(self.peeked.take())
    }

    /// What comes before `end`, which is consumed.
    fn until(&mut self, end: u8) -> io::Result<String> {
        let mut bytes = Vec::new();
        loop {
            match self.next()? {
                Some(byte) if byte == end => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
                Some(byte) => bytes.push(byte),
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
    }
}

/// The value of this sort that `answer` denotes, when it is one.
pub(in super::super) fn value(answer: &Sexpr, sort: Sort) -> Option<Value> {
    let Sort::Array { index, element } = sort else { return Some(scalar(answer, sort.scalar()?)?.into()) };
    let mut writes = Vec::new();
    let mut below = answer;
    loop {
        match items(below)? {
            [Sexpr::Atom(store), inner, i, e] if store == "store" => {
                writes.push((scalar(i, index)?, scalar(e, element)?));
                below = inner;
            }
            // ((as const SORT) element)
            [Sexpr::List(head), default] if matches!(&head[..], [Sexpr::Atom(a), Sexpr::Atom(c), _] if a == "as" && c == "const") =>
            {
                let constant = ArrayValue::constant(index, scalar(default, element)?);
                return Some(writes.into_iter().rev().fold(constant, |array, (i, e)| array.store(i, e)).into());
            }
            _ => return None,
        }
    }
}

fn items(sexpr: &Sexpr) -> Option<&[Sexpr]> {
    match sexpr {
        Sexpr::List(items) => Some(items),
        _ => None,
    }
}

fn scalar(answer: &Sexpr, sort: ScalarSort) -> Option<ScalarValue> {
    match (sort, answer) {
        (ScalarSort::Bool, Sexpr::Atom(atom)) => Some(ScalarValue::Bool(atom.parse().ok()?)),
        (ScalarSort::BitVec(width), Sexpr::Atom(atom)) => {
            let (digits, radix) = match atom.split_at_checked(2)? {
                ("#x", digits) => (digits, 16),
                ("#b", digits) => (digits, 2),
                _ => return None,
            };
            Some(ScalarValue::BitVec(BitVec::new(width, u128::from_str_radix(digits, radix).ok()?)))
        }
        // (_ bv7 32)
        (ScalarSort::BitVec(width), Sexpr::List(list)) => match &list[..] {
            [Sexpr::Atom(mark), Sexpr::Atom(number), Sexpr::Atom(_)] if mark == "_" => {
                let bits = number.strip_prefix("bv")?.parse().ok()?;
                Some(ScalarValue::BitVec(BitVec::new(width, bits)))
            }
            _ => None,
        },
        (ScalarSort::Int, Sexpr::Atom(atom)) => Some(ScalarValue::Int(atom.parse().ok()?)),
        (ScalarSort::Int, Sexpr::List(list)) => match &list[..] {
            // Parsed with its sign, as the least value has no positive counterpart.
            [Sexpr::Atom(minus), Sexpr::Atom(digits)] if minus == "-" => {
                Some(ScalarValue::Int(format!("-{digits}").parse().ok()?))
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, Sexpr, value};
    use crate::smt::{ScalarSort, Sort};

    fn read(text: &str) -> Vec<String> {
        let mut reader = Reader::new(text.as_bytes());
        std::iter::from_fn(|| reader.read().unwrap()).map(|s| s.to_string()).collect()
    }

    #[test]
    fn expressions_are_read_one_by_one() {
        assert_eq!(
            read("sat ((x #b01)(|a b| (- 3))) ; done\n(error \"say \"\"no\"\"\")"),
            ["sat", "((x #b01) (a b (- 3)))", r#"(error "say \"no\"")"#]
        );
        for broken in ["(a", ")", "|a", "\"a"] {
            assert!(Reader::new(broken.as_bytes()).read().is_err(), "{broken}");
        }
        let deep = "(".repeat(100_000) + &")".repeat(100_000);
        assert!(Reader::new(deep.as_bytes()).read().is_err());
        assert!(matches!(Reader::new(&deep.as_bytes()[95_000..105_000]).read(), Ok(Some(Sexpr::List(_)))));
    }

    #[test]
    fn values_survive_being_written_and_read() {
        let bytes = Sort::array(ScalarSort::BitVec(5), ScalarSort::Int);
        for (text, sort) in [
            ("true", Sort::Bool),
            ("#b10110", Sort::BitVec(5)),
            ("#xffffffffffffffffffffffffffffffff", Sort::BitVec(128)),
            ("(- 170141183460469231731687303715884105728)", Sort::Int),
            ("(store (store ((as const (Array (_ BitVec 5) Int)) (- 1)) #b00001 2) #b00111 0)", bytes),
        ] {
            let sexpr = Reader::new(text.as_bytes()).read().unwrap().unwrap();
            assert_eq!(value(&sexpr, sort).unwrap().to_string(), text);
        }
        let sexpr = Reader::new("(_ bv22 5)".as_bytes()).read().unwrap().unwrap();
        assert_eq!(value(&sexpr, Sort::BitVec(5)).unwrap().to_string(), "#b10110");
        assert_eq!(value(&sexpr, Sort::Int), None);
    }
}
