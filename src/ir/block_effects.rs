//! What library functions do with blocks of the heap and with addresses that their models do not say: the lists that decide whether a
//! block can be called lost, or freed in the end. A function that is given a model that says it leaves its list.
//!
//! See: assumption C19; the manual pages of the GNU C library and POSIX, whose words are "should be freed with free(3)".

/// Functions without a model that give back, or store, blocks that their caller is to free.
pub const ALLOCATING: &[&str] = &[
    // stdio.h
    "open_memstream",
    "open_wmemstream",
    "tempnam",
    "__getdelim",
    "__getline",
    "__asprintf",
    "__asprintf_chk",
    "__vasprintf_chk",
    "obstack_printf",
    "obstack_vprintf",
    // `%m` in a format that may be any.
    "vwscanf",
    "vfwscanf",
    "vswscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "__isoc99_vscanf",
    "__isoc99_vfscanf",
    "__isoc99_vsscanf",
    "__isoc23_scanf",
    "__isoc23_fscanf",
    "__isoc23_sscanf",
    "__isoc23_vscanf",
    "__isoc23_vfscanf",
    "__isoc23_vsscanf",
    // stdlib.h, malloc.h, unistd.h, dirent.h, execinfo.h
    "pvalloc",
    "reallocf",
    "recallocarray",
    "get_current_dir_name",
    "canonicalize_file_name",
    "__realpath_chk",
    "scandir",
    "scandir64",
    "scandirat",
    "scandirat64",
    "backtrace_symbols",
    "setmode",
    // string.h, argz.h, envz.h
    "__strdup",
    "__strndup",
    "argz_create",
    "argz_create_sep",
    "argz_append",
    "argz_add",
    "argz_add_sep",
    "argz_insert",
    "argz_replace",
    "envz_add",
    "envz_merge",
    "fparseln",
    "stravis",
];

/// Functions that end the program, or may, without a model that says so. Where one of them does, variables of active functions are left.
const ENDING: &[&str] = &[
    // err.h, error.h, argp.h
    "err",
    "errx",
    "errc",
    "verr",
    "verrx",
    "verrc",
    "error",
    "error_at_line",
    "argp_parse",
    "argp_error",
    "argp_failure",
    "argp_usage",
    "argp_state_help",
    // Threads, signals.
    "pthread_exit",
    "thrd_exit",
    "raise",
    "gsignal",
    "kill",
    "killpg",
    "pthread_kill",
    "tgkill",
    "sigqueue",
    // unistd.h
    "execl",
    "execlp",
    "execle",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "execveat",
    "fexecve",
    "daemon",
    "syscall",
];

/// Functions that keep pointers that they are given.
const KEEPING: &[&str] = &["setvbuf", "setbuf", "on_exit"];

/// Functions behind which pointers travel unseen: a thread's result waits for who joins it.
const CARRYING: &[&str] = &["pthread_create"];

/// Which bytes a function takes out of the program as they are, for somebody to read back: the numbers of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesOut {
    /// So many bytes, or elements of so many, from the pointer on. Text that is formatted or read to its end is not meant.
    Bytes { from: usize, size: usize, count: Option<usize> },
    /// What is written to memory that it gives back, where the flags say that others share it.
    Shared { flags: usize },
}

/// The flag `MAP_SHARED` of Linux, which `MAP_SHARED_VALIDATE` has too.
pub const MAP_SHARED: i128 = 1;

/// Whether the function may allocate blocks that its caller is to free and that no model shows.
pub fn allocates_unseen(name: &str) -> bool {
    ALLOCATING.contains(&name)
}

/// Whether a call may end the program although no model says so; `first`: its first argument, where that is a constant.
pub fn may_end(name: &str, first: Option<i128>) -> bool {
    let only_tells = matches!(name, "error" | "error_at_line") && first == Some(0);
    ENDING.contains(&name) && !only_tells
}

/// Whether the function keeps pointers that it is given.
pub fn keeps(name: &str) -> bool {
    KEEPING.contains(&name)
}

/// Whether pointers travel unseen behind a call of the function.
pub fn carries(name: &str) -> bool {
    CARRYING.contains(&name)
}

/// Which bytes the function takes out of the program. Functions without a model are not asked for: no run goes through them.
pub fn takes_out(name: &str) -> Option<TakesOut> {
    Some(match name {
        "fwrite" => TakesOut::Bytes { from: 0, size: 1, count: Some(2) },
        "write" | "send" => TakesOut::Bytes { from: 1, size: 2, count: None },
        "mmap" | "mmap64" => TakesOut::Shared { flags: 3 },
        _ => return None,
    })
}
