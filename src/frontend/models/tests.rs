//! Every model makes a well-formed program: calls against the real headers, lowered and validated.

use crate::base::SourceMap;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::{parse_units, with_deep_stack};
use crate::frontend::preprocess::{PreprocessOptions, UnitSource, preprocess};
use crate::ir::validate::validate;
use crate::ir::{Callee, CheckKind, DataModel, Initializer, Program, StaticValue, StmtKind};

fn lowered(source: &str) -> Program {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("f.c");
    std::fs::write(&path, source).expect("the folder is writable");
    let unit = UnitSource::new(path.to_str().expect("the path is text"));
    let unit = preprocess(&unit, &PreprocessOptions::new(DataModel::Lp64)).expect("the headers are there");
    let mut sources = SourceMap::default();
    let units = parse_units(&[unit], 1, &mut sources);
    let program = with_deep_stack(|| lower(&units, DataModel::Lp64, sources, LowerOptions::default()));
    assert_eq!(validate(&program), []);
    program
}

/// Lowers the statements in a function; what was said, left unsupported or called without a model.
#[track_caller]
fn check_all_modelled(headers: &str, statements: &str) -> Program {
    let includes: String = headers.split(' ').map(|h| format!("#include <{h}>\n")).collect();
    let source = format!(
        "#define _GNU_SOURCE\n{includes}\nint compare(const void *a, const void *b) {{ return *(char *)a - *(char *)b; }}\n\
         void *run(void *p) {{ return p; }}\nvoid f(char *s, char *t, int n, long z, void *p, double d) {{\n{statements}\n}}\n"
    );
    let program = lowered(&source);
    let messages: Vec<_> = program.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, [] as [&str; 0]);
    assert_eq!(program.unsupported, []);
    let calls =
        program.functions.iter().flat_map(|f| f.blocks.iter()).flat_map(|b| &b.stmts).filter_map(|s| match &s.kind {
            StmtKind::Call { callee: Callee::Direct(f), .. } => Some(&program.functions[*f]).filter(|f| !f.has_body()),
            _ => None,
        });
    let bare: Vec<&str> = calls.map(|f| f.name.as_str()).collect();
    assert_eq!(bare, [] as [&str; 0]);
    program
}

#[test]
fn memory_and_strings() {
    check_all_modelled(
        "stdlib.h string.h strings.h wchar.h malloc.h alloca.h",
        "p = malloc(n); p = calloc(n, 4); p = realloc(p, n); p = reallocarray(p, n, 4); posix_memalign(&p, 16, n); free(p);
         p = alloca(n); memcpy(s, t, n); memmove(s, t, n); p = mempcpy(s, t, n); memset(s, 0, n); bzero(s, n);
         n = memcmp(s, t, n); p = memchr(s, 'a', n); p = memmem(s, n, t, 2); n = malloc_usable_size(p);
         n = strlen(s); n = strnlen(s, 3); strcpy(s, t); stpcpy(s, t); strncpy(s, t, n); strcat(s, t); strncat(s, t, n);
         n = strcmp(s, t) + strncmp(s, t, 3) + strcasecmp(s, t) + strncasecmp(s, t, 3) + strcoll(s, t);
         s = strchr(s, 'a'); s = strrchr(s, 'a'); s = strstr(s, t); s = strpbrk(s, t); s = strchrnul(s, 'a');
         n = strspn(s, t) + strcspn(s, t); s = strdup(t); s = strndup(t, 3); s = strerror(n);
         s = strtok(s, \" \"); s = strtok_r(0, \" \", &t); s = strsep(&t, \",\");
         wchar_t *w = wcsdup(L\"a\"), v[8]; wcscpy(v, w); wcsncpy(v, w, 3); wcscat(v, w); n = wcslen(w) + wcscmp(v, w);
         w = wmemset(v, L'a', 3); w = wmemcpy(v, w, 3); w = wcschr(v, L'a');",
    );
}

#[test]
fn streams() {
    check_all_modelled(
        "stdio.h stdarg.h wchar.h stdlib.h",
        "FILE *f = fopen(s, \"r\"); n = getchar(); n = fgetc(f); n = getc(f); ungetc(n, f); t = fgets(s, n, f);
         n = fread(p, 4, n, f); n = fwrite(p, 4, n, f); fseek(f, z, 0); z = ftell(f); rewind(f); n = feof(f) + ferror(f);
         n = scanf(\"%d %s\", &n, s); n = fscanf(f, \"%*d%9s%c%[^\\n]%lf%n\", s, t, s, &d, &n); n = sscanf(s, \"%hhu\", s);
         n = printf(\"%d %s %n\", n, s, &n); fprintf(stderr, \"%.*s\", n, s); sprintf(s, \"%s\", t); n = snprintf(s, n, \"%ls\", L\"a\");
         va_list ap; n = vprintf(s, ap) + vfprintf(f, s, ap) + vsprintf(s, t, ap) + vsnprintf(s, n, t, ap) + vasprintf(&s, t, ap);
         n = asprintf(&s, \"%d\", n); puts(s); fputs(s, f); putchar(n); fputc(n, f); putc(n, stdout); perror(s); fflush(0);
         wchar_t w[9]; n = swprintf(w, 9, L\"%ls\", w) + swscanf(w, L\"%2x\", &n); wprintf(L\"%s\", s); fgetws(w, 9, f);
         size_t c = 0; z = getline(&s, &c, f); setvbuf(f, 0, _IOFBF, 100); n = fileno(f); fclose(f);",
    );
}

#[test]
fn numbers() {
    check_all_modelled(
        "stdlib.h math.h ctype.h inttypes.h arpa/inet.h",
        "n = atoi(s); z = atol(s); d = atof(s); z = strtol(s, &t, 0); z = strtoul(s, 0, 16); d = strtod(s, &t);
         n = isalpha(n) + isspace(n) + toupper(n) + isxdigit(n); n = abs(n); z = labs(z); z = imaxabs(z); n = rand(); srand(n);
         d = sqrt(d) + fabs(d) + sqrtl(d) + floor(d) + pow(d, d) + erf(d) + frexp(d, &n) + ldexp(d, n) + modf(d, &d);
         d = lgamma(d) + fma(d, d, d) + rint(d) + expm1f(d) + HUGE_VAL + INFINITY + NAN; z = lrint(d);
         n = isnan(d) + isinf(d) + isfinite(d) + isnormal(d) + signbit(d);
         n = htons(n) + htonl(n) + ntohs(n) + __builtin_popcount(n) + __builtin_clz(n) + __builtin_bswap64(z);
         n = __builtin_add_overflow(n, n, &n); n = __atomic_load_n(&n, 0) + __atomic_fetch_add(&n, 1, 0) + __sync_add_and_fetch(&n, 1);
         __atomic_store_n(&n, 1, 0); n = __sync_bool_compare_and_swap(&n, 1, 2) + __sync_fetch_and_nand(&n, 3);",
    );
}

#[test]
fn system() {
    check_all_modelled(
        "stdlib.h stdio.h time.h sys/time.h sys/stat.h fcntl.h unistd.h dirent.h signal.h errno.h sys/mman.h sys/socket.h \
         netinet/in.h arpa/inet.h locale.h libgen.h pwd.h utime.h pthread.h dlfcn.h search.h",
        "n = open(s, O_RDONLY); n = read(n, p, z); n = write(n, p, z); lseek(n, z, 0); close(n); n = access(s, 0);
         struct stat st; n = stat(s, &st) + fstat(n, &st); n = errno; errno = 0; s = getenv(\"A\"); s = getcwd(s, n);
         s = realpath(s, t); s = realpath(s, 0); z = readlink(s, t, n); n = fcntl(n, F_GETFL); DIR *dir = opendir(s);
         struct dirent *e = readdir(dir); s = e->d_name; closedir(dir); time_t now = time(0); struct tm *tm = localtime(&now), u;
         tm = gmtime_r(&now, &u); now = mktime(&u); n = strftime(s, n, \"%a\", tm); s = ctime(&now); n = clock();
         struct timeval tv; gettimeofday(&tv, 0); sleep(1); usleep(1); p = mmap(0, n, 0, 0, n, 0); munmap(p, n);
         signal(SIGINT, SIG_IGN); sigset_t set; sigemptyset(&set); struct sigaction act; sigaction(SIGINT, &act, 0);
         n = socket(AF_INET, SOCK_STREAM, 0); struct sockaddr_in a; a.sin_addr.s_addr = inet_addr(\"127.0.0.1\");
         n = connect(n, (struct sockaddr *)&a, sizeof a) + bind(n, (struct sockaddr *)&a, sizeof a) + listen(n, 5);
         n = accept(n, 0, 0); n = recv(n, s, z, 0); n = send(n, s, z, 0); s = setlocale(LC_ALL, \"\"); s = dirname(s);
         struct passwd *pw = getpwuid(0); s = pw->pw_dir; unlink(s); rename(s, t); mkdir(s, 0); chmod(s, 0); mkstemp(s);
         qsort(p, n, 1, compare); p = bsearch(s, p, n, 1, compare); pthread_t th; pthread_create(&th, 0, run, p); pthread_join(th, 0);
         p = dlopen(s, 0); s = dlerror(); struct lconv *lc = localeconv(); s = lc->decimal_point; n = system(s); n = getpid();
         if (n) exit(1); if (n == 2) abort();",
    );
}

#[test]
fn verification_tasks() {
    let program = lowered(
        "extern void abort(void); extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n\
         extern void __VERIFIER_error(void) __attribute__((noreturn));\n\
         int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); if (x < 0) __VERIFIER_error(); return 0; }",
    );
    assert!(program.sites.iter().any(|s| s.kind == CheckKind::UnreachCall));
    assert_eq!(program.inputs.len(), 1);
}

/// The convention of CBMC and its kin, with a declaration or without.
#[test]
fn functions_that_are_called_nondet_are_inputs_if_they_have_no_body() {
    let inputs = |source: &str| lowered(source).inputs.len();
    assert_eq!(inputs("int nondet_int(); int main(void) { return nondet_int(); }"), 1);
    assert_eq!(inputs("int main(void) { return nondet_char(); }"), 1);
    assert_eq!(inputs("unsigned nondet_uint(void); int main(void) { return nondet_uint() > 3; }"), 1);
    assert_eq!(inputs("int nondet_int(void) { return 4; } int main(void) { return nondet_int(); }"), 0);
    assert_eq!(inputs("int nondet_of(void); int main(void) { return nondet_of(); }"), 0);
    assert_eq!(inputs("int *nondet_int(void); int main(void) { return *nondet_int(); }"), 0);
    assert_eq!(inputs("int nondet_int(int *); int main(void) { int x = 0; return nondet_int(&x) + x; }"), 0);
    assert_eq!(inputs("struct s { int a; }; struct s nondet_int(void); int main(void) { return nondet_int().a; }"), 0);
}

#[test]
fn values_that_nothing_chooses_are_marked() {
    let program = check_all_modelled("math.h stdlib.h", "d = erf(d); n = rand();");
    let marked: Vec<_> = program.inputs.iter().map(|i| (i.name.as_str(), i.approximate)).collect();
    assert_eq!(marked, [("erf()", true), ("rand()", false)]);
}

#[test]
fn functions_used_by_their_address_get_bodies() {
    let program = lowered(
        "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n\
         void (*drop)(void *) = free; int (*print)(const char *, ...) = printf;\n\
         int f(char **a, int n, char *p) { qsort(a, n, sizeof *a, (int (*)(const void *, const void *))strcmp); drop(p); return *p; }",
    );
    let body = |name: &str| {
        let f = program.functions.iter().find(|f| f.name == name).expect("the header declares it");
        (f.has_body(), f.library)
    };
    assert_eq!(body("free"), (true, true));
    assert_eq!(body("strcmp"), (true, true));
    // What it does depends on its arguments' number.
    assert_eq!(body("printf"), (false, false));
    assert_eq!(body("malloc"), (false, false));
}

#[test]
fn texts_that_scanf_allocates_are_left_open() {
    let program = lowered(
        "#include <stdio.h>\nvoid f(char **s) { scanf(\"%d %5ms\", (int *)s, s); sscanf(\"a\", \"%m[a-z]\", s); }\n",
    );
    assert_eq!(program.unsupported.len(), 2);
    let program = lowered("#include <stdio.h>\nvoid f(char *s) { scanf(\"%5s\", s); }\n");
    assert_eq!(program.unsupported, []);
}

/// What facts say all of has no model besides.
#[test]
fn functions_have_a_model_or_a_whole_contract() {
    for (name, clauses) in crate::ir::contracts::clause::BUILT_IN {
        let both = clauses.contains(&crate::ir::contracts::Clause::Harmless) && super::dispatch::model(name).is_some();
        assert!(!both, "{name}");
    }
}

/// A function with a model says by itself what it allocates.
#[test]
fn functions_that_are_said_to_allocate_have_no_model() {
    for (name, clauses) in crate::ir::contracts::clause::BUILT_IN {
        assert!(
            !clauses.contains(&crate::ir::contracts::Clause::AllocatesUnseen) || !super::is_modelled(name),
            "{name}"
        );
    }
}

#[test]
fn getopt_is_another_function_where_it_is_declared_otherwise() {
    let has_body = |source: &str| {
        let program = lowered(source);
        let main = program.function_named("main").expect("there is a main");
        assert!(program.functions[main].has_body(), "{source}");
        program.functions.iter().any(|f| f.name == "getopt" && f.has_body())
    };
    let call = "int main(int argc, char **argv) { return getopt(argc, argv, \"a\"); }";
    assert!(has_body(&format!("int getopt(int, char *const *, const char *); {call}")));
    assert!(has_body(&format!("int getopt(); {call}")));
    assert!(has_body(call));
    assert!(!has_body(&format!("int getopt(int, char **, int); {}", call.replace("\"a\"", "1"))));
    assert!(!has_body("int getopt(int, char *const *, const char *); int main(void) { return 0; }"));
}

#[test]
fn a_program_that_defines_optind_keeps_its_value() {
    let program = lowered(
        "int optind = 7; int getopt(int, char *const *, const char *);
         int main(int argc, char **argv) { return getopt(argc, argv, \"a\") + optind; }",
    );
    let values: Vec<_> = program.variables.iter().filter(|v| v.name == "optind").map(|v| v.init.clone()).collect();
    assert!(
        matches!(&values[..], [init] if matches!(init[..], [Initializer { value: StaticValue::Int(7), .. }])),
        "{values:?}"
    );
}

/// What a standard says of the characters that functions read: a line feed ends a line, white space a word.
#[test]
fn bytes_that_functions_cannot_read_are_not_among_their_inputs() {
    let excluded = |call: &str| {
        let program = lowered(&format!(
            "#include <stdio.h>\n#include <unistd.h>\nint main(void) {{ char s[8]; {call}; return 0; }}"
        ));
        let sites = program.inputs.iter().map(|input| (input.excluded.bytes.len(), input.excluded.may_end));
        sites.max().expect("something is read")
    };
    assert_eq!(excluded("fgets(s, 8, stdin)"), (1, true));
    assert_eq!(excluded("scanf(\"%7s\", s)"), (6, false));
    assert_eq!(excluded("scanf(\"%7[a-z ]\", s)"), (0, false));
    assert_eq!(excluded("read(0, s, 8)"), (0, false));
}
