//! An SMT-LIB 2 solver in a process of its own for the tests of the process back end: this test program itself, started
//! again to run [`solve_smtlib_from_standard_input`]. It understands scripts by libcvc5's own parser.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io::{self, BufRead, Write};
use std::process::Command;
use std::ptr;

/// Set for the process that is to be a solver.
const MARK: &str = "CELLOG_TEST_SMTLIB_PROCESS";

/// Starts the solver. The test harness has its own output discarded; answers are written to a copy of standard output.
pub fn command() -> Command {
    let mut command = Command::new("sh");
    let test = std::env::current_exe().unwrap();
    command.args(["-c", r#"exec "$0" --exact smtlib_process::solve_smtlib_from_standard_input --nocapture 3>&1 1>&2"#]);
    command.arg(test).env(MARK, "1");
    command
}

/// Parses and answers a whole script.
pub fn answers_to(script: &str) -> String {
    let mut session = Session::new();
    session.run(script)
}

/// Does nothing but in a process that [`command`] started.
#[test]
fn solve_smtlib_from_standard_input() {
    if std::env::var_os(MARK).is_none() {
        return;
    }
    let mut answers = std::fs::File::create("/dev/fd/3").unwrap();
    let mut session = Session::new();
    for line in io::stdin().lock().lines() {
        let answer = session.run(&format!("{}\n", line.unwrap()));
        answers.write_all(answer.as_bytes()).unwrap();
        if answer.starts_with("(error") {
            return;
        }
    }
}

/// libcvc5's parser, and a solver that does what it reads.
struct Session {
    solver: *mut c_void,
    symbols: *mut c_void,
    parser: *mut c_void,
}

impl Session {
    fn new() -> Self {
        // SAFETY: each object is made from the live ones before it, and all live as long as the process.
        unsafe {
            let manager = cvc5_term_manager_new();
            let solver = cvc5_new(manager);
            cvc5_set_option(solver, c"incremental".as_ptr(), c"true".as_ptr());
            cvc5_set_option(solver, c"arrays-exp".as_ptr(), c"true".as_ptr());
            let symbols = cvc5_symbol_manager_new(manager);
            let parser = cvc5_parser_new(solver, symbols);
            Session { solver, symbols, parser }
        }
    }

    /// Runs whole commands; what they answer.
    fn run(&mut self, text: &str) -> String {
        let text = CString::new(text).unwrap();
        let mut answers = String::new();
        // SAFETY: the session's objects are alive, and strings are copied before the next call.
        unsafe {
            const SMT_LIB_2_6: c_int = 0;
            cvc5_parser_set_str_input(self.parser, SMT_LIB_2_6, text.as_ptr(), c"script".as_ptr());
            loop {
                let mut error: *const c_char = ptr::null();
                let command = cvc5_parser_next_command(self.parser, &mut error);
                if !error.is_null() {
                    let message = CStr::from_ptr(error).to_string_lossy().replace('"', "'");
                    return answers + &format!("(error \"{message}\")\n");
                }
                if command.is_null() {
                    return answers;
                }
                let answer = cvc5_cmd_invoke(command, self.solver, self.symbols);
                answers.push_str(&CStr::from_ptr(answer).to_string_lossy());
            }
        }
    }
}

#[link(name = "cvc5parser")]
unsafe extern "C" {
    fn cvc5_symbol_manager_new(manager: *mut c_void) -> *mut c_void;
    fn cvc5_parser_new(solver: *mut c_void, symbols: *mut c_void) -> *mut c_void;
    fn cvc5_parser_set_str_input(parser: *mut c_void, language: c_int, text: *const c_char, name: *const c_char);
    fn cvc5_parser_next_command(parser: *mut c_void, error: *mut *const c_char) -> *mut c_void;
    fn cvc5_cmd_invoke(command: *mut c_void, solver: *mut c_void, symbols: *mut c_void) -> *const c_char;
}

#[link(name = "cvc5")]
unsafe extern "C" {
    fn cvc5_term_manager_new() -> *mut c_void;
    fn cvc5_new(manager: *mut c_void) -> *mut c_void;
    fn cvc5_set_option(solver: *mut c_void, option: *const c_char, value: *const c_char);
}
