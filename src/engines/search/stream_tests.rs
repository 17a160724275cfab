//! What runs of the search may take streams and descriptors to give: what no file and no terminal gives is never definite.

use super::tests::{STDIO, certain, options};
use crate::ir::CheckKind;

/// That programs which divide by zero under these conditions do so in no run, and in some.
fn hold(source: impl Fn(&str) -> String, never: &[&str], sometimes: &[&str]) {
    for condition in never {
        assert_eq!(certain(&source(condition), &options(0)), [], "{condition}");
    }
    for condition in sometimes {
        assert_eq!(certain(&source(condition), &options(0)), [CheckKind::DivByZero], "{condition}");
    }
}

#[test]
fn what_a_stream_tells_fits_together() {
    let source = |condition: &str| {
        format!(
            "{STDIO} int main(void) {{ int z = 0, x = 0, y = 0; char b[4]; double d; FILE *f = fopen(\"a\", \"r\"); if (!f) return 0;
             if ({condition}) return 1 / z; return 0; }}"
        )
    };
    let never = [
        // Indicators are clear until a read fails, and one of them is set then.
        "ferror(f)",
        "feof(f)",
        "getc(f) >= 0 && ferror(f)",
        "(clearerr(stdin), ferror(stdin))",
        "(getc(f), rewind(f), ferror(f))",
        "getc(f) < 0 && feof(f) && !feof(f)",
        "getc(f) < 0 && feof(f) && ferror(f)",
        "getc(f) < 0 && !ferror(f) && !feof(f)",
        "fscanf(f, \"%d\", &x) == -1 && !feof(f) && !ferror(f)",
        // The end stays.
        "fscanf(f, \"%d\", &x) == -1 && feof(f) && getc(f) >= 0",
        "fscanf(f, \"%d\", &x) == -1 && feof(f) && fscanf(f, \"%d\", &x) == 1",
        "!fgets(b, 4, f) && feof(f) && fscanf(f, \"%3s\", b) == 1",
        // What is put back comes next.
        "getc(f) < 0 && feof(f) && ungetc('x', f) == 'x' && getc(f) != 'x'",
        "ungetc('x', f) == 'x' && !fread(b, 1, 4, f)",
        "ungetc('x', f) != 'x'",
        // A line of no characters is there, as glibc has it.
        "!fgets(b, 1, f)",
        // Words and characters are missed at the end alone, and short fields spell small numbers.
        "fscanf(f, \"%3s%d\", b, &x) == 0",
        "fscanf(f, \" %c\", b) == 0",
        "fscanf(f, \"%1lf\", &d) == 1 && d > 9",
        "fscanf(f, \"%2lf\", &d) == 1 && d < -9",
        "fscanf(f, \"%5lf\", &d) == 1 && d == 123456789.0",
        // What is scanned is what stands there, and is read otherwise.
        "fscanf(f, \"%d\", &x) == 1 && (rewind(f), fscanf(f, \"%d\", &y) == 1) && x != y",
        "getc(f) == 'z' && (rewind(f), fscanf(f, \"%d\", &x) == 1)",
        "getc(f) == '7' && ungetc('7', f) == '7' && fscanf(f, \"%d\", &x) != 1",
        "getc(f) == '7' && ungetc('8', f) == '8' && fscanf(f, \"%d\", &x) != 1",
        "fread(b, 1, 4, f) == 0 && feof(f) && (rewind(f), fscanf(f, \"%d\", &x) == 1)",
        "fscanf(f, \"%d\", &x) == 1 && ftell(f) == 0",
        // What was just made is empty, and holds what was written to it.
        "(f = tmpfile()) && getc(f) >= 0",
        "(f = fopen(\"b\", \"w+\")) && fread(b, 1, 4, f) > 0",
        "(f = fopen(\"b\", \"w+\")) && fscanf(f, \"%d\", &x) == 1",
        "(f = fopen(\"b\", \"a\")) && getc(f) >= 0",
        "(f = tmpfile()) && fputc('a', f) == 'a' && (rewind(f), getc(f) == 'b')",
        "fopen(\"a\", \"w\") && getc(f) >= 0",
    ];
    let sometimes = [
        "fscanf(f, \"%d\", &x) == 1 && feof(f)",
        "fscanf(f, \"%d\", &x) == 0",
        "fscanf(f, \"%3s%d\", b, &x) == 1",
        "fscanf(f, \"%*s%3s\", b) == 0",
        "fscanf(f, \"%lf\", &d) == 1 && d > 9",
        "getc(f) < 0 && feof(f) && ungetc('x', f) == 'x' && getc(f) == 'x'",
    ];
    hold(source, &never, &sometimes);
}

#[test]
fn what_descriptors_and_wide_characters_tell_fits_together() {
    let source = |condition: &str| {
        format!(
            "{STDIO} typedef int wchar_t; wchar_t *fgetws(wchar_t *, int, FILE *); int pipe(int *), open(const char *, int, ...), creat(const char *, int);
             long read(int, void *, unsigned long), write(int, const void *, unsigned long); FILE *fdopen(int, const char *);
             int dup(int), dup2(int, int), ioctl(int, unsigned long, ...);
             int main(void) {{ int z = 0, n = 0, two[2]; char b[4]; wchar_t w[4]; FILE *f = fopen(\"a\", \"r\"); if (!f) return 0;
             if ({condition}) return 1 / z; return 0; }}"
        )
    };
    let never = [
        // A line ends with its line feed, a word has no white space, and nobody says which characters there are beyond those of ASCII.
        "fgetws(w, 4, f) && w[0] == '\\n' && w[1]",
        "fgetws(w, 4, f) && w[0] > 127",
        "fgetws(w, 4, f) && w[0] < 0",
        "fscanf(f, \"%3ls\", w) == 1 && w[0] == ' '",
        "fscanf(f, \"%lc\", w) == 1 && w[0] < 0",
        // Descriptors of a pipe are two, and what a copy of one gives is not followed.
        "pipe(two) == 0 && (two[0] < 0 || two[1] < 0)",
        "pipe(two) == 0 && two[0] == two[1]",
        "pipe(two) == 0 && dup2(two[0], 0) == 0 && read(0, b, 1) == 1",
        "pipe(two) == 0 && (n = dup(two[0])) > 0 && read(n, b, 1) == 1",
        "(n = dup(0)) > 0 && (f = fdopen(n, \"r\")) && getc(f) >= 0",
        // Nothing is written where one may read alone, nor read where one may write alone.
        "fputc('a', f) == 'a'",
        "(n = open(\"b\", 0)) >= 0 && write(n, b, 1) == 1",
        "(n = creat(\"b\", 511)) >= 0 && read(n, b, 1) == 1",
        // How many bytes are there is no negative number.
        "ioctl(0, 0x541B, &n) == 0 && n < 0",
    ];
    let sometimes = [
        "fgetws(w, 4, f) && w[0] > 0",
        "fscanf(f, \"%3ls\", w) == 1 && w[0] > 0",
        "pipe(two) == 0",
        "pipe(two) != 0",
        "(n = open(\"b\", 0)) >= 0 && read(n, b, 1) == 1",
    ];
    hold(source, &never, &sometimes);
}
