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
fn texts_and_locales() {
    check_all_modelled(
        "string.h strings.h libintl.h locale.h langinfo.h fnmatch.h stdlib.h wchar.h wctype.h iconv.h unistd.h netdb.h syslog.h",
        "s = gettext(s); s = dgettext(s, t); s = dcgettext(s, t, LC_MESSAGES); s = ngettext(s, t, n); s = dngettext(s, s, t, n);
         s = textdomain(s); s = bindtextdomain(s, t); s = bind_textdomain_codeset(s, t); n = fnmatch(s, t, 0) + rpmatch(s);
         locale_t where = newlocale(LC_ALL_MASK, s, 0); where = duplocale(where); freelocale(where); s = stpncpy(s, t, n);
         s = strcasestr(s, t); p = memrchr(s, 'a', n); p = rawmemchr(s, 0); z = strxfrm(s, t, n); s = strerror_r(n, s, z);
         wchar_t w[9]; mbstate_t state; const char *from = t; const wchar_t *wide = w; z = mbrtowc(w, s, n, &state) + mbrlen(s, n, &state);
         n = mbtowc(w, s, n) + mblen(s, n) + mbsinit(&state) + wcwidth(L'a') + wcswidth(w, 9) + btowc(n) + wctob(n); z = wcrtomb(s, L'a', &state);
         n = wctomb(s, L'a'); z = mbstowcs(w, s, 9) + wcstombs(s, w, 9) + mbsrtowcs(w, &from, 9, &state) + wcsrtombs(s, &wide, 9, &state);
         z = wcsxfrm(w, w, 9); n = iswctype(L'a', wctype(s)); iconv_t set = iconv_open(s, t); size_t left = n; iconv(set, &s, &left, &t, &left);
         iconv_close(set); s = getpass(s); s = crypt(s, t); openlog(s, 0, 0); closelog(); setlogmask(0); herror(s);",
    );
}

#[test]
fn messages() {
    check_all_modelled(
        "err.h error.h syslog.h stdarg.h signal.h stdio.h",
        "va_list ap; warn(\"%s\", s); warnx(0); vwarn(s, ap); vwarnx(s, ap); syslog(1, \"%m %s\", s); vsyslog(1, s, ap); psignal(n, s);
         error(n, 0, \"%s\", s); error_at_line(0, 0, s, 1, \"%d\", n); vdprintf(n, s, ap); if (n == 1) err(1, \"%s\", s); if (n == 2) errx(1, 0);
         if (n == 3) verr(1, s, ap); if (n == 4) verrx(1, s, ap);",
    );
}

#[test]
fn processes() {
    check_all_modelled(
        "unistd.h sys/wait.h sys/types.h sys/resource.h sys/time.h sys/times.h time.h grp.h signal.h sched.h sys/auxv.h termios.h \
         stdlib.h sys/sysinfo.h spawn.h malloc.h",
        "char *argv[2] = {s, 0}; n = fork() + vfork() + setsid() + getpgrp() + getpgid(0) + getsid(0) + tcgetsid(0) + tcgetpgrp(0) + gettid();
         n = setpgid(0, 0) + tcsetpgrp(0, 0) + setpgrp() + setreuid(0, 0) + setegid(0) + setresuid(0, 0, 0) + setgroups(0, 0) + daemon(0, 0);
         n = wait(&n) + wait(0) + waitpid(1, &n, WNOHANG); struct rusage usage; n = wait3(&n, 0, &usage) + wait4(1, &n, 0, 0);
         siginfo_t info; n = waitid(P_ALL, 0, &info, 0); n = execv(s, argv) + execvp(s, argv) + execve(s, argv, argv) + execvpe(s, argv, 0);
         n = execl(s, s, t, (char *)0) + execlp(s, s, (char *)0) + execle(s, s, (char *)0, argv); pid_t child; uid_t id; struct rlimit limit;
         n = posix_spawn(&child, s, 0, 0, argv, 0) + posix_spawnp(0, s, 0, 0, argv, argv); n = getresuid(&id, &id, &id) + initgroups(s, 0);
         n = chroot(s) + nice(1) + getpriority(0, 0) + pause() + getdtablesize() + getpagesize(); sync(); struct tms tms; z = times(&tms) + times(0);
         n = getrlimit(RLIMIT_CORE, &limit) + setrlimit(RLIMIT_CORE, &limit); struct itimerval timer; n = getitimer(0, &timer) + setitimer(0, &timer, 0);
         struct timespec ts; n = clock_getres(0, &ts) + clock_settime(0, &ts) + sched_yield(); z = getauxval(1) + gethostid(); struct sysinfo si; sysinfo(&si);
         cpu_set_t cpus; n = sched_getaffinity(0, sizeof cpus, &cpus) + sched_setaffinity(0, sizeof cpus, &cpus) + CPU_COUNT(&cpus);
         sigset_t set; n = sigprocmask(0, &set, 0) + pthread_sigmask(0, 0, &set) + sigsuspend(&set) + sigismember(&set, 1) + sigpending(&set);
         n = sigwait(&set, &n) + sigwaitinfo(&set, &info) + sigtimedwait(&set, 0, &ts) + siginterrupt(1, 1) + SIGRTMIN;
         struct termios tio; n = cfgetispeed(&tio) + cfsetospeed(&tio, B9600) + tcdrain(0) + tcsendbreak(0, 0) + grantpt(n) + posix_openpt(0); s = ptsname(n);
         gid_t groups[4]; n = getgroups(4, groups) + getgroups(0, 0);",
    );
}

#[test]
fn files() {
    check_all_modelled(
        "fcntl.h unistd.h sys/stat.h sys/statvfs.h sys/vfs.h sys/file.h sys/socket.h sys/sendfile.h sys/mman.h dirent.h stdio.h stdio_ext.h \
         stdlib.h sys/random.h sys/uio.h glob.h wordexp.h sys/inotify.h sys/epoll.h sys/eventfd.h sys/timerfd.h mntent.h",
        "struct stat st; n = openat(n, s, 0) + fstatat(n, s, &st, 0) + faccessat(n, s, 0, 0) + unlinkat(n, s, 0) + mkdirat(n, s, 0) + fchmodat(n, s, 0, 0);
         n = renameat(n, s, n, t) + linkat(n, s, n, t, 0) + symlinkat(s, n, t) + mkfifo(s, 0) + mknod(s, 0, 0) + truncate(s, 0) + eaccess(s, 0);
         z = readlinkat(n, s, t, 9); n = futimens(n, 0) + flock(n, 0) + lockf(n, 0, 0) + fallocate(n, 0, 0, 0) + posix_fadvise(n, 0, 0, 0) + fchdir(n);
         struct statvfs fs; struct statfs sf; n = statvfs(s, &fs) + fstatvfs(n, &fs) + statfs(s, &sf) + fstatfs(n, &sf); int two[2]; n = pipe2(two, 0);
         n = socketpair(0, 0, 0, two) + dup3(n, n, 0) + eventfd(0, 0) + inotify_init() + inotify_add_watch(n, s, 0) + memfd_create(s, 0); off_t at = 0;
         z = sendfile(n, n, &at, 9) + copy_file_range(n, 0, n, &at, 9, 0) + pwrite(n, s, 9, 0) + getrandom(s, 9, 0); n = getentropy(s, 9); arc4random_buf(s, 9);
         n = arc4random_uniform(9) + mprotect(p, 9, 0) + madvise(p, 9, 0) + msync(p, 9, 0) + mlock(p, 9); DIR *dir = fdopendir(n); rewinddir(dir); z = telldir(dir);
         seekdir(dir, z); n = dirfd(dir); const struct dirent *e = readdir(dir); n = alphasort(&e, &e); FILE *f = tmpfile(); fpos_t pos; n = fgetpos(f, &pos);
         n = fsetpos(f, &pos) + fflush_unlocked(f) + fileno_unlocked(f) + ftrylockfile(f) + __fpending(f) + __freading(f); __fpurge(f); setbuffer(f, s, 9);
         n = putc_unlocked(n, f) + putchar_unlocked(n) + getchar_unlocked() + fwrite_unlocked(s, 1, 2, f); clearerr_unlocked(f); s = tmpnam(s); s = tempnam(0, s);
         s = ctermid(s); s = canonicalize_file_name(s); s = get_current_dir_name(); n = mkostemp(s, 0) + mkstemps(s, 2) + mkostemps(s, 2, 0); glob_t g;
         n = glob(s, 0, 0, &g); globfree(&g); wordexp_t we; n = wordexp(s, &we, 0); wordfree(&we); struct iovec io = {s, 3}; z = writev(n, &io, 1);
         FILE *table = setmntent(s, t); struct mntent *m = getmntent(table); s = m->mnt_dir; n = endmntent(table); z = confstr(n, s, 9);",
    );
}

#[test]
fn networks() {
    check_all_modelled(
        "sys/types.h sys/socket.h netdb.h arpa/inet.h net/if.h ifaddrs.h poll.h sys/select.h unistd.h pwd.h grp.h shadow.h limits.h time.h",
        "struct sockaddr_storage a; socklen_t l = sizeof a; z = sendto(n, s, 9, 0, (struct sockaddr *)&a, l) + sendto(n, s, 9, 0, 0, 0);
         n = accept4(n, (struct sockaddr *)&a, &l, 0) + getsockopt(n, SOL_SOCKET, SO_ERROR, &n, &l); struct addrinfo *list; n = getaddrinfo(s, t, 0, &list);
         freeaddrinfo(list); n = getnameinfo((struct sockaddr *)&a, l, s, 9, t, 9, 0) + getnameinfo((struct sockaddr *)&a, l, s, 9, 0, 0, 0);
         struct in_addr in; n = inet_aton(s, &in) + inet_pton(AF_INET, s, &in) + inet_pton(n, s, p); t = inet_ntop(AF_INET6, p, s, 46); n = if_nametoindex(s);
         struct ifaddrs *all; n = getifaddrs(&all); freeifaddrs(all); struct hostent *h = gethostbyaddr(p, 4, AF_INET); h = gethostent(); sethostent(1);
         struct servent *service = getservbyname(s, 0); service = getservbyport(1, t); struct protoent *proto = getprotobyname(s); struct pollfd fds[2];
         n = poll(fds, 2, 0) + poll(fds, n, 0) + ppoll(fds, 2, 0, 0); fd_set set; struct timeval tv; FD_ZERO(&set); FD_SET(n, &set);
         n = select(n, &set, 0, 0, &tv) + pselect(4, 0, &set, 0, 0, 0); n = gethostname(s, 9) + sethostname(s, 9); struct group *gr = getgrnam(s);
         gr = getgrgid(0); gr = getgrent(); struct passwd pw, *found; n = getpwnam_r(s, &pw, t, 9, &found) + getpwuid_r(0, &pw, t, 9, &found);
         n = getgrgid_r(0, gr, t, 9, &gr); struct spwd *shadow = getspnam(s); s = shadow->sp_pwdp; setpwent(); endpwent(); n = getlogin_r(s, 9) + ttyname_r(n, s, 9);
         struct tm tm; time_t now = 0; s = asctime_r(&tm, s); s = ctime_r(&now, s); z = sendmsg(n, (struct msghdr *)p, 0);",
    );
}

#[test]
fn expressions_for_texts() {
    check_all_modelled(
        "regex.h",
        "regex_t re; regmatch_t m[3]; n = regcomp(&re, s, REG_EXTENDED); n = regexec(&re, s, 3, m, 0) + regexec(&re, s, 0, 0, n);
         n = regexec(&re, s, n, m, REG_STARTEND); z = regerror(n, &re, s, 9); regfree(&re);",
    );
}

#[test]
fn threads() {
    check_all_modelled(
        "pthread.h semaphore.h time.h",
        "pthread_t me = pthread_self(); n = pthread_equal(me, me); pthread_rwlock_t rw; n = pthread_rwlock_init(&rw, 0) + pthread_rwlock_rdlock(&rw);
         n = pthread_rwlock_wrlock(&rw) + pthread_rwlock_unlock(&rw) + pthread_rwlock_destroy(&rw); pthread_attr_t attr; pthread_cond_t cond;
         n = pthread_attr_setdetachstate(&attr, 0) + pthread_attr_setstacksize(&attr, 9); pthread_mutex_t m; struct timespec ts; pthread_key_t key;
         n = pthread_cond_timedwait(&cond, &m, &ts) + pthread_key_create(&key, 0) + pthread_setspecific(key, p); p = pthread_getspecific(key);
         n = pthread_setname_np(me, s) + pthread_getname_np(me, s, 16) + pthread_setcancelstate(0, &n); pthread_testcancel(); sem_t sem;
         n = sem_init(&sem, 0, 1) + sem_wait(&sem) + sem_trywait(&sem) + sem_timedwait(&sem, &ts) + sem_post(&sem) + sem_getvalue(&sem, &n) + sem_destroy(&sem);",
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

#[test]
fn built_ins_whose_types_are_not_known_are_not_understood() {
    let program = lowered("int f(double d) { return __builtin_powi(d, -1) == 0.5; }\n");
    let named: Vec<&str> = program.unsupported.iter().map(|u| u.construct.as_str()).collect();
    assert_eq!(named, ["__builtin_powi, whose type is not known"]);
    assert_eq!(lowered("int f(double d) { return __builtin_fabs(d) == 0.5; }\n").unsupported, []);
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
fn functions_of_others_that_have_a_name_of_the_library_are_not_known() {
    let known = |declaration: &str, call: &str| {
        let program = lowered(&format!("{declaration} int main(void) {{ {call}; return 0; }}"));
        let main = program.function_named("main").expect("there is a main");
        assert!(program.functions[main].failed.is_none(), "{declaration}");
        let mut statements = program.functions[main].blocks.iter().flat_map(|b| &b.stmts);
        !statements.any(|s| matches!(s.kind, StmtKind::Call { .. }))
    };
    assert!(known("void error(int, int, const char *, ...);", "error(0, 0, \"a\")"));
    assert!(!known("void error(const char *, ...);", "error(\"a\")"));
    assert!(!known("void error(const char *, int, int);", "error(\"a\", 0, 0)"));
    assert!(known("int wait(int *);", "wait(0)"));
    assert!(!known("void wait(void);", "wait()"));
    assert!(!known("int getrlimit(void);", "getrlimit()"));
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
