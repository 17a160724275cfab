//! Runs that go on from places of others come to what they come to from the start.

use super::again::{Within, run_from, run_within};
use super::coverage::Edges;
use super::dictionary::Dictionary;
use super::random::Random;
use super::starts::{Freezing, Noting, Starts};
use super::steered::{Manner, Steered};
use super::tests::{options, program};
use crate::concrete::{Prepared, Run};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::sync::Arc;

const PROGRAMS: [&str; 5] = [
    // Characters, a table, recursion, blocks.
    "int getchar(void); int putchar(int);
     static int table[256];
     struct node { struct node *next; int of; };
     static int depth(struct node *n) { return n ? 1 + depth(n->next) : 0; }
     int main(void) {
       for (int i = 0; i < 256; i++) table[i] = i * 7 % 11;
       struct node *all = 0;
       for (int c; (c = getchar()) >= 0; ) {
         struct node *n = malloc(sizeof *n);
         if (!n) return 3;
         n->next = all; n->of = table[c]; all = n;
         if (c == 'x') putchar('0' + n->of);
         if (c == 'f') { all = n->next; free(n); }
       }
       return 100 / (depth(all) - 9);
     }",
    // Blocks of a file, positions, its end.
    "typedef struct f FILE; FILE *fopen(const char *, const char *); unsigned long fread(void *, unsigned long, unsigned long, FILE *);
     int fseek(FILE *, long, int); long ftell(FILE *); int fgetc(FILE *); int feof(FILE *);
     int main(void) {
       unsigned char head[4]; int sum = 0, buffer[3] = {1, 2, 3};
       FILE *f = fopen(\"a\", \"rb\"), *g = fopen(\"b\", \"rb\");
       if (!f || !g || fread(head, 1, 4, f) != 4) return 1;
       for (int i = 0; i < head[0]; i++) sum += head[1] ^ i;
       fseek(f, 0, 2); long length = ftell(f); fseek(f, head[2] % 5, 0);
       for (int c; (c = fgetc(f)) >= 0 && sum < 3000; ) sum += c + (fgetc(g) & 15);
       return feof(f) ? buffer[(sum + length) % 4] : sum % 7;
     }",
    // Variable arguments, records by value, functions by their addresses.
    "typedef __builtin_va_list va_list;
     int getchar(void);
     struct pair { int a, b; };
     static struct pair swap(struct pair p) { struct pair q = {p.b, p.a + 1}; return q; }
     static int add(int n, ...) {
       va_list list; __builtin_va_start(list, n); int sum = 0;
       for (int i = 0; i < n; i++) sum += __builtin_va_arg(list, int) * (getchar() & 3);
       __builtin_va_end(list); return sum;
     }
     static int one(int c) { return c + 1; }
     static int two(int c) { return c * 2; }
     int main(void) {
       int (*of[2])(int) = {one, two}; struct pair p = {1, 2}; int all = 0;
       for (int i = 0; i < 12; i++) {
         int c = getchar();
         if (c < 0) break;
         p = swap(p); all += of[c & 1](p.a) + add(3, c, i, p.b);
       }
       return 1000 / (all - 77);
     }",
    // Numbers that scanf takes, texts, loops that leap.
    "int scanf(const char *, ...); int printf(const char *, ...); unsigned long strlen(const char *); char *strcpy(char *, const char *);
     int main(void) {
       char word[16], small[4]; int n; unsigned long all = 0;
       while (scanf(\"%d %15s\", &n, word) == 2) {
         for (int i = 0; i < 2000; i++) all += 3;
         if (n > 5 && strlen(word) > 3) strcpy(small, word);
         printf(\"%d %s\\n\", n, word);
       }
       return (int)(all % 13);
     }",
    // A comparing function that the library calls reads as well.
    "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); int getchar(void);
     static int turn;
     static int compare(const void *a, const void *b) {
       if (++turn % 5 == 0) return getchar() & 1;
       return *(const int *)a - *(const int *)b;
     }
     int main(void) {
       int v[6];
       for (int i = 0; i < 6; i++) v[i] = getchar();
       qsort(v, 6, sizeof *v, compare);
       return 12 / (v[0] - getchar());
     }",
];

/// What of a run must be the same.
fn summary(run: &Run, edges: &Edges) -> String {
    let mut places: Vec<u32> = edges.places().to_vec();
    places.sort_unstable();
    format!("{run:?} {places:?}")
}

fn of(files: &[Vec<u8>; 2]) -> Steered<'_> {
    static EMPTY: Dictionary = Dictionary::EMPTY;
    Steered::new(&[], FxHashSet::default(), Manner::Plain, &EMPTY, Random::new(0)).with_files(files)
}

#[test]
fn runs_go_on_from_places_of_others_as_from_the_start() {
    for (number, source) in PROGRAMS.iter().enumerate() {
        let program = program(source);
        let main = program.function_named("main").expect("there is a main");
        let prepared = Prepared::new(&program);
        let options = super::SearchOptions { leaps: true, lost: true, ..options(0) };
        let mut random = Random::new(number as u64);
        let mut resumed = 0;
        for _ in 0..12 {
            let mut any =
                |most| (0..random.below(most)).map(|_| b" 0123456789xfabc\n\0\xff"[random.below(19)]).collect();
            let files: [Vec<u8>; 2] = [any(40), any(20)];
            let (mut edges, count) = (Edges::default(), Cell::new(0));
            let mut freezing = Freezing::new(&mut edges, &count, 1, u64::MAX);
            let mut noting = Noting::new(of(&files), &count);
            let run = run_within(&prepared, main, &mut noting, &options, Within::trace(0), &mut freezing);
            let starts = Starts::new(noting, freezing, &run.inputs, Arc::default());
            for _ in 0..12 {
                let mut changed = files.clone();
                let which = random.below(2);
                let at = random.below(changed[which].len() + 1);
                match random.below(3) {
                    0 => changed[which].truncate(at),
                    1 => changed[which].insert(at, b'7'),
                    _ => changed[which].iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 5),
                }
                let mut edges = Edges::default();
                let mut within = Within::trace(0);
                if random.below(3) == 0 {
                    within.statements = random.below(run.statements as usize) as u64;
                }
                let whole = run_within(&prepared, main, &mut of(&changed), &options, within.clone(), &mut edges);
                let whole = summary(&whole, &edges);
                let begin = starts.begin(|| of(&changed), &within);
                let Some((frozen, so_far)) = begin.last else { continue };
                resumed += 1;
                edges.go_on(so_far);
                let (from, mut inputs) = ((main, Some((frozen, begin.log))), begin.source);
                let run = run_from(&prepared, from, &mut inputs, &options, within, &mut edges);
                assert_eq!(summary(&run, &edges), whole, "program {number}, {files:?}, {changed:?}");
            }
        }
        assert!(resumed > 30, "program {number}: {resumed} runs went on from a place of another one");
    }
}
