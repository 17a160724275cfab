//! Random small programs: 4-bit and 8-bit variables, pointers, unions, the heap, loops, calls.

use crate::concrete::InputPlace;
use crate::engines::search::random::Random;
use std::fmt::Write;

/// A program with a function `f(signed char a, unsigned char e)`.
#[derive(Clone, Debug)]
pub struct Generated {
    pub source: String,
    /// How many low bits of each parameter it looks at, and of each other input.
    bits: [u32; 2],
}

/// Bits of a number that is read on the way.
const READ_BITS: u32 = 4;

impl Generated {
    /// Numbers from `low` to `high` of an input that stand for all of them: the program sees no more than these.
    pub fn representatives(&self, place: InputPlace, low: i128, high: i128) -> Vec<i128> {
        let bits = match place {
            InputPlace::Parameter(_, i) => self.bits[i as usize],
            _ => READ_BITS,
        };
        (low..=high.min(low.saturating_add((1 << bits) - 1))).collect()
    }
    /// The parameters' types: all values of `f`'s parameter `i`.
    pub fn whole(i: u32) -> (i128, i128) {
        if i == 0 { (-128, 127) } else { (0, 255) }
    }
}

/// What every program begins with. Records, unions and functions that it uses.
const BEGINNING: &str = "typedef unsigned char byte; typedef signed char tiny;
    struct bits { unsigned low : 4; signed high : 4; byte c; };
    union u { byte c[4]; tiny t[4]; short s[2]; int i; struct bits b; };
    struct node { struct node *next; tiny v; };
    static int shared; static byte table[6] = {1, 2, 3, 0, 5, 6};
    static int twice(tiny n) { if (n > 60) return n; return n + n; }
    static int half(tiny n) { return n / 2; }
    static void put(byte *q, int v) { *q = v; }
    static int *choose(int *p, int *q, int first) { if (first) return p; return q; }
    static int down(int n) { if (n <= 0) return 1; return down(n - 1) + 1; }
    static int sum(const byte *q, int n) { int s = 0; for (int i = 0; i < n; i++) s += q[i]; return s; }\n";

/// The program of a seed.
pub fn generate(seed: u64) -> Generated {
    let mut random = Random::new(seed);
    // Mostly two 4-bit inputs, so that every point can be run.
    let bits = match random.below(10) {
        0 => [8, 4],
        1 => [4, 8],
        2 => [8, 0],
        _ => [4, 4],
    };
    let mut out =
        format!("{BEGINNING}int f(signed char a, unsigned char e) {{ struct bits w = {{0, 0, 0}}, v = {{0, 0, 0}};\n");
    let [first, second] = bits;
    let _ = match first {
        8 => writeln!(out, "tiny k = a;"),
        _ => writeln!(out, "w.high = a; tiny k = w.high;"),
    };
    let _ = match second {
        8 => writeln!(out, "byte m = e;"),
        0 => writeln!(out, "byte m = 3;"),
        _ => writeln!(out, "w.low = e; byte m = w.low;"),
    };
    out.push_str(
        "w.low = m; w.high = k; w.c = 0; v.low = 1; v.high = -1; v.c = m; int x = k, y = m, z = 1; int t[4] = {3, 1, 4, 1};
        union u u; u.i = 0; int *p = t + 1; int **r = &p; byte *q = u.c; int (*g)(tiny) = twice; byte s[6] = \"ab\";
        struct node n = {0, 1}, o = {&n, 2}; struct node *l = &o; byte *h = malloc(4); if (!h) return 0; memset(h, 3, 4);
        wchar_t wide[3] = L\"ab\";\n",
    );
    for _ in 0..2 + random.below(5) {
        statement(&mut random, &mut out, 2);
    }
    if random.one_in(2) {
        out.push_str("free(h); ");
    }
    out.push_str("return 0; }");
    Generated { source: out, bits }
}

const NAMES: [&str; 22] = [
    "k",
    "m",
    "x",
    "y",
    "z",
    "w.low",
    "w.high",
    "v.low",
    "v.high",
    "v.c",
    "u.i",
    "u.s[0]",
    "u.c[1]",
    "u.t[0]",
    "u.b.high",
    "*p",
    "**r",
    "*q",
    "h[0]",
    "l->v",
    "shared",
    "table[m & 3]",
];
const TARGETS: [&str; 20] = [
    "x", "y", "z", "k", "m", "w.low", "w.high", "v.low", "v.high", "u.i", "u.s[1]", "u.c[0]", "u.b.low", "*p", "**r",
    "*q", "h[1]", "l->v", "shared", "t[2]",
];

fn atom(random: &mut Random) -> String {
    match random.below(9) {
        0..2 => random.between(-9, 17).to_string(),
        2 => "(tiny)x".to_owned(),
        3 => "(byte)y".to_owned(),
        _ => NAMES[random.below(NAMES.len())].to_owned(),
    }
}

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.one_in(3) {
        return atom(random);
    }
    let (l, r) = (expression(random, depth - 1), expression(random, depth - 1));
    let operators =
        ["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>", "<", "==", "!=", ">=", "&&", "||", "?", "~", "()"];
    match operators[random.below(operators.len())] {
        op @ ("<<" | ">>") => format!("(({l}) {op} (({r}) & 7))"),
        "?" => format!("(({l}) ? ({r}) : {})", atom(random)),
        "~" => format!("(~({l}) & 15)"),
        "()" => {
            let call = ["twice", "half", "g", "down"][random.below(4)];
            format!("{call}(({l}) & 31)")
        }
        op => format!("(({l}) {op} ({r}))"),
    }
}

fn condition(random: &mut Random) -> String {
    let operators = ["<", "==", "!=", ">", ">=", "&"];
    format!("({}) {} ({})", expression(random, 1), operators[random.below(operators.len())], expression(random, 1))
}

fn statement(random: &mut Random, out: &mut String, depth: usize) {
    let _ = match random.below(10) {
        0..3 => {
            let e = expression(random, 2);
            writeln!(out, "{} = {e};", TARGETS[random.below(TARGETS.len())])
        }
        3 => writeln!(out, "z = {} / ({});", atom(random), expression(random, 2)),
        4 => pointers(random, out),
        5 | 6 => heap(random, out),
        7 => texts(random, out),
        8 if depth > 0 => branches(random, out, depth - 1),
        9 if depth > 0 => loops(random, out, depth - 1),
        _ => writeln!(out, "x = {};", expression(random, 2)),
    };
}

fn pointers(random: &mut Random, out: &mut String) -> std::fmt::Result {
    let (e, c) = (expression(random, 2), condition(random));
    match random.below(13) {
        0 => writeln!(out, "p = t + (({e}) & 3);"),
        1 => writeln!(out, "p = {c} ? &x : &y;"),
        2 => writeln!(out, "r = &p; *r = &u.i;"),
        3 => writeln!(out, "q = (byte *)&x + (({e}) & 3);"),
        4 => writeln!(out, "q = &u.c[{e}];"),
        5 => writeln!(out, "p = choose(&x, p, {c});"),
        6 => writeln!(out, "put(q, {e});"),
        7 => writeln!(out, "g = {c} ? twice : half; z = g(({e}) & 15);"),
        8 => writeln!(out, "t[{e}] = y;"),
        9 => writeln!(out, "if ({c}) p = 0;"),
        10 => writeln!(out, "if (p == &x || p > t) z = p[0];"),
        11 => writeln!(out, "l = l->next; {}", if random.one_in(2) { "if (!l) l = &n;" } else { "" }),
        _ => writeln!(out, "n.v = {e}; o = n;"),
    }
}

fn heap(random: &mut Random, out: &mut String) -> std::fmt::Result {
    let (e, c) = (expression(random, 2), condition(random));
    match random.below(9) {
        0 => writeln!(out, "h[{e}] = {};", atom(random)),
        1 => writeln!(out, "if ({c}) free(h);"),
        2 => writeln!(out, "{{ byte *d = realloc(h, (({e}) & 7) + 1); if (!d) return 0; h = d; }}"),
        3 => writeln!(out, "{{ int *d = malloc((({e}) & 3) * 4); if (d) {{ d[0] = x; y += d[0]; free(d); }} }}"),
        4 => writeln!(out, "{{ union u *d = calloc(1, 4); if (d) {{ d->s[0] = {e}; z = d->c[1] + d->i; free(d); }} }}"),
        5 => {
            let end = 1 + random.below(3);
            writeln!(
                out,
                "for (int i = 0; i < {end}; i++) {{ struct node *d = malloc(sizeof *d); if (!d) return 0; d->v = i + m; d->next = l; l = d; }}"
            )
        }
        6 => writeln!(out, "{{ byte *d = h; h = malloc(4); if (!h) return 0; h[0] = {e}; h[1] = d[0]; free(d); }}"),
        7 => writeln!(out, "if ({c}) {{ free(h); h = 0; }}"),
        _ => writeln!(out, "y = h[(({e}) & 3)];"),
    }
}

/// Bytes and strings.
fn texts(random: &mut Random, out: &mut String) -> std::fmt::Result {
    let (e, c) = (expression(random, 2), condition(random));
    match random.below(14) {
        0 => writeln!(out, "memcpy(h + 1, &u, (({e}) & 3)); y += h[2];"),
        1 => writeln!(out, "s[(({e}) & 3)] = {}; x = strlen((char *)s);", atom(random)),
        2 => writeln!(out, "memset(s, {e}, 5); z = s[4];"),
        3 => writeln!(out, "if ({c}) memset(s, 'x', 6); y = strlen((char *)s);"),
        4 => writeln!(out, "strcpy((char *)h, (char *)s);"),
        5 => writeln!(out, "memcpy(s, table, ({e}));"),
        6 => writeln!(out, "z = sum(s, ({e}) & 7);"),
        7 => writeln!(out, "if (memcmp(s, h, 2) == 0) z = {e};"),
        8 => writeln!(out, "x = snprintf((char *)s, 6, \"%d\", {e}); z = s[1];"),
        9 => writeln!(out, "sprintf((char *)h, \"%x%c\", {}, m); y = h[1];", atom(random)),
        10 => writeln!(out, "z = snprintf((char *)s, (({e}) & 3) + 1, \"%s.%u\", (char *)h, m); y = s[2];"),
        11 => writeln!(out, "wide[({e}) & 1] = k; if (wcscmp(wide, L\"b\") > 0) z = wide[1] - 98;"),
        12 => writeln!(out, "wmemset(wide, k, ({e}) & 3); y = wcschr(wide, 5) != 0; x = wcslen(wide);"),
        _ => writeln!(out, "x = rand() & 15; t[x] = 1;"),
    }
}

fn branches(random: &mut Random, out: &mut String, depth: usize) -> std::fmt::Result {
    match random.below(5) {
        0 => {
            writeln!(out, "switch (({}) & 7) {{ case 0: case 5:", expression(random, 1))?;
            statement(random, out, depth);
            writeln!(out, "break; case 2 ... 3:")?;
            statement(random, out, depth);
            writeln!(out, "default: z++; }}")
        }
        1 => writeln!(out, "if ({}) abort();", condition(random)),
        _ => {
            writeln!(out, "if ({}) {{", condition(random))?;
            statement(random, out, depth);
            writeln!(out, "}} else {{")?;
            statement(random, out, depth);
            writeln!(out, "}}")
        }
    }
}

fn loops(random: &mut Random, out: &mut String, depth: usize) -> std::fmt::Result {
    let (e, c) = (expression(random, 2), condition(random));
    match random.below(4) {
        0 => writeln!(out, "for (int i = (({e}) & 7); i > 0; i--) {{")?,
        1 => writeln!(out, "for (int i = 0; i < 9 && {c}; i++) {{")?,
        2 => {
            writeln!(out, "for (int i = 0; i < {}; i++) {{ q[i] = k; if ({c}) break;", 2 + random.below(4))?;
        }
        _ => writeln!(out, "for (int i = 0; i < (({e}) & 7); i++) {{")?,
    }
    statement(random, out, depth);
    writeln!(out, "z += i; }}")
}
