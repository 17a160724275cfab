//! Record layout against the system compiler: sizes, alignments, offsets and the bytes of initialized objects, on generated
//! structs and unions with bit-fields, `packed`, `aligned` and `#pragma pack`.

use cellog::base::SourceMap;
use cellog::frontend::lower::{LowerOptions, lower};
use cellog::frontend::parse::{parse_units, with_deep_stack};
use cellog::frontend::preprocess::PreprocessedUnit;
use cellog::ir::{BitRange, DataModel, Initializer, Program, StaticValue, Variable};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

fn lower_text(text: &str, model: DataModel) -> Program {
    let unit = PreprocessedUnit { file: "layout.c".into(), text: text.into(), diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let program = with_deep_stack(|| lower(&parsed, model, sources, LowerOptions::default()));
    assert!(program.diagnostics.is_empty(), "{:?}\n{text}", program.diagnostics);
    program
}

fn global<'p>(program: &'p Program, name: &str) -> &'p Variable {
    program.variables.iter().find(|v| v.name == name).expect("the test declares it")
}

fn integers(v: &Variable) -> Vec<i128> {
    let of = |i: &Initializer| match i.value {
        StaticValue::Int(n) => n,
        _ => panic!("not an integer"),
    };
    v.init.iter().map(of).collect()
}

/// A generator of structs from a seed (xorshift).
struct Generator(u64);

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
    /// A record called `name`; returns its text and the names of its addressable members and of all members with a value.
    fn record(&mut self, name: &str, nested: &[String]) -> (String, Vec<String>, Vec<(String, u64)>) {
        let kind = if self.below(6) == 0 { "union" } else { "struct" };
        let attribute = match self.below(8) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(8)))",
            2 => " __attribute__((packed, aligned(2)))",
            _ => "",
        };
        let (mut body, mut addressable, mut values) = (String::new(), Vec::new(), Vec::new());
        for i in 0..1 + self.below(7) {
            let member = format!("m{i}");
            match self.below(10) {
                0..=4 => {
                    let (ty, most) = [
                        ("char", 8),
                        ("unsigned char", 8),
                        ("short", 16),
                        ("unsigned short", 16),
                        ("int", 32),
                        ("unsigned int", 32),
                        ("long long", 64),
                        ("unsigned long long", 64),
                        ("_Bool", 1),
                    ][self.below(9) as usize];
                    let width = self.below(most + 1);
                    if width == 0 || self.below(8) == 0 {
                        let align = if self.below(6) == 0 { " __attribute__((aligned(4)))" } else { "" };
                        writeln!(body, "  {ty} : 0{align};").unwrap();
                    } else if self.below(8) == 0 {
                        writeln!(body, "  {ty} : {width};").unwrap();
                    } else {
                        writeln!(body, "  {ty} {member} : {width};").unwrap();
                        values.push((member, if ty == "_Bool" { 1 } else { self.below(1 << width.min(30)) }));
                    }
                }
                5 if !nested.is_empty() => {
                    let at = self.below(nested.len() as u64) as usize;
                    writeln!(body, "  {} {member};", nested[at]).unwrap();
                    addressable.push(member);
                }
                6 => {
                    let (ty, n) = (self.pick(&["char", "short", "int"]), 1 + self.below(4));
                    writeln!(body, "  {ty} {member}[{n}];").unwrap();
                    addressable.push(member);
                }
                _ => {
                    let ty = self.pick(&[
                        "over",
                        "under",
                        "char",
                        "short",
                        "int",
                        "long",
                        "long long",
                        "float",
                        "double",
                        "void *",
                        "long double",
                    ]);
                    let align = if self.below(8) == 0 { " __attribute__((aligned(4)))" } else { "" };
                    writeln!(body, "  {ty} {member}{align};").unwrap();
                    if !matches!(ty, "float" | "double" | "void *" | "long double") {
                        values.push((member.clone(), self.below(100)));
                    }
                    addressable.push(member);
                }
            }
        }
        if kind == "union" {
            values.truncate(1);
        }
        // Empty structs are a GNU extension of size 0: one member at least.
        let text = format!("{kind} {name} {{\n  char first;\n{body}}}{attribute};\n");
        let text = match self.below(3) {
            0 => format!("#pragma pack(push, {})\n{text}#pragma pack(pop)\n", self.pick(&["1", "2", "4", "8", "16"])),
            _ => text,
        };
        addressable.push("first".into());
        (text, addressable, values)
    }
}

/// A record's type, its addressable members, and its members with a value.
type Generated = (String, Vec<String>, Vec<(String, u64)>);

/// Types that a `typedef` has aligned otherwise.
const ALIGNED: &str =
    "typedef int over __attribute__((aligned(16)));\ntypedef long long under __attribute__((aligned(2)));\n";

/// Declarations, and the members of each record.
fn generated(seed: u64, count: usize) -> (String, Vec<Generated>) {
    let mut g = Generator(seed * 7919 + 88_172_645_463_325_252);
    let (mut text, mut records, mut nested) = (ALIGNED.to_owned(), Vec::new(), Vec::new());
    for i in 0..count {
        let name = format!("r{i}");
        let (t, addressable, values) = g.record(&name, &nested);
        let kind = if t.contains(&format!("union {name} ")) { "union" } else { "struct" };
        let full = format!("{kind} {name}");
        text.push_str(&t);
        nested.push(full.clone());
        records.push((full, addressable, values));
    }
    (text, records)
}

fn compile(text: &str, args: &[&str]) -> std::process::Output {
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut child = Command::new(cc)
        .args(["-w", "-x", "c", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a C compiler is there");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Questions for the alignments of numbers as members and as variables, which differ on i386.
fn scalar_alignments() -> Vec<String> {
    let mut asked = Vec::new();
    for ty in
        ["double", "long long", "const double", "long double", "double _Complex", "float", "under", "long", "char *"]
    {
        asked.push(format!("_Alignof({ty})"));
        asked.push(format!("__alignof__({ty})"));
        asked.push(format!("__alignof__({ty}[3])"));
    }
    asked
}

fn sizes_and_offsets_agree(model: DataModel, flag: &[&str], seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let (text, records) = generated(seed, 12);
        let mut asked = scalar_alignments();
        for (record, addressable, _) in &records {
            asked.push(format!("sizeof({record})"));
            asked.push(format!("_Alignof({record})"));
            asked.push(format!("__alignof__({record})"));
            asked.extend(addressable.iter().map(|m| format!("__builtin_offsetof({record}, {m})")));
        }
        let ours = format!("{text}unsigned long asked[] = {{ {} }};\n", asked.join(", "));
        let values = integers(global(&lower_text(&ours, model), "asked"));
        assert_eq!(values.len(), asked.len());
        let mut checks = text.clone();
        for (question, answer) in asked.iter().zip(&values) {
            writeln!(checks, "_Static_assert({question} == {answer}, \"{question} is not {answer}\");").unwrap();
        }
        let out = compile(&checks, &[flag, &["-fsyntax-only"]].concat());
        assert!(out.status.success(), "seed {seed}:\n{}\n{text}", String::from_utf8_lossy(&out.stderr));
    }
}

#[test]
fn layout_is_the_compilers_on_lp64() {
    sizes_and_offsets_agree(DataModel::Lp64, &["-m64"], 1..60);
}

#[test]
fn numbers_of_eight_bytes_are_aligned_as_gcc_does_on_i386() {
    let text = "double d; unsigned long asked[] = {_Alignof(double), __alignof__(double), __alignof__(long long), \
                __alignof__ d, __alignof__(d + 1), __alignof__(struct { double d; })};";
    assert_eq!(integers(global(&lower_text(text, DataModel::Ilp32), "asked")), [4, 8, 8, 8, 8, 4]);
    assert_eq!(integers(global(&lower_text(text, DataModel::Lp64), "asked")), [8; 6]);
}

#[test]
fn layout_is_the_compilers_on_ilp32() {
    if !compile("int x;", &["-m32", "-fsyntax-only"]).status.success() {
        eprintln!("skipped: the compiler has no -m32");
        return;
    }
    sizes_and_offsets_agree(DataModel::Ilp32, &["-m32"], 60..120);
}

/// The bytes that an object's initializer describes; those that it leaves open, which no member has, are zero as the compiler makes them.
fn image(program: &Program, v: &Variable) -> Vec<u8> {
    let (mut bytes, mut open) = (vec![0u8; v.size as usize], Vec::new());
    for i in &v.init {
        if i.value == StaticValue::Open {
            open.extend(i.offset as usize..(i.offset + program.types.size_of(i.ty).unwrap()) as usize);
            continue;
        }
        let StaticValue::Int(value) = i.value else { panic!("the test initializes integers only") };
        let size = program.types.size_of(i.ty).unwrap() as usize;
        let at = i.offset as usize;
        match i.bits {
            None => bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]),
            Some(BitRange { offset, width }) => {
                for b in 0..u32::from(width) {
                    let bit = u32::from(offset) + b;
                    let mask = 1 << (bit % 8);
                    let byte = &mut bytes[at + (bit / 8) as usize];
                    *byte = if value >> b & 1 == 1 { *byte | mask } else { *byte & !mask };
                }
            }
        }
    }
    assert!(open.iter().all(|at| bytes[*at] == 0), "a member lies where bytes are open");
    bytes
}

#[test]
fn initialized_objects_have_the_compilers_bytes() {
    let directory = tempfile::tempdir().unwrap();
    for seed in 200..230 {
        let (mut text, records) = generated(seed, 12);
        for (i, (record, _, values)) in records.iter().enumerate() {
            let list: Vec<String> = values.iter().map(|(m, v)| format!(".{m} = {v}")).collect();
            writeln!(text, "{record} o{i} = {{ {} }};", list.join(", ")).unwrap();
        }
        let program = lower_text(&text, DataModel::Lp64);
        let mut printer = text.clone();
        writeln!(printer, "int printf(const char *, ...);\nint main(void) {{").unwrap();
        for (i, (record, ..)) in records.iter().enumerate() {
            writeln!(printer, "for (int i = 0; i < sizeof({record}); i++) printf(\"%02x\", ((unsigned char *)&o{i})[i]);\nprintf(\"\\n\");").unwrap();
        }
        writeln!(printer, "return 0; }}").unwrap();
        let exe = directory.path().join("printer");
        let out = compile(&printer, &["-o", exe.to_str().unwrap()]);
        assert!(out.status.success(), "seed {seed}:\n{}", String::from_utf8_lossy(&out.stderr));
        let printed = String::from_utf8(Command::new(&exe).output().unwrap().stdout).unwrap();
        for (i, line) in printed.lines().enumerate() {
            let ours: String =
                image(&program, global(&program, &format!("o{i}"))).iter().map(|b| format!("{b:02x}")).collect();
            assert_eq!(ours, line, "seed {seed}, object o{i}:\n{text}");
        }
    }
}
