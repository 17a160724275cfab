//! The folders in which the compiler finds headers by itself.

use super::compiler_words;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What is taken where the compiler does not tell.
const USUAL: [&str; 2] = ["/usr/include", "/usr/local/include"];

/// The folders of headers that the compiler (`$CC`, else `cc`) looks into without being told, in its order.
pub fn system_folders() -> Vec<PathBuf> {
    let words = compiler_words(None);
    let told = Command::new(&words[0])
        .args(&words[1..])
        .args(["-E", "-v", "-x", "c", "-"])
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output();
    let folders = told.map(|output| listed(&String::from_utf8_lossy(&output.stderr))).unwrap_or_default();
    if folders.is_empty() { USUAL.map(PathBuf::from).to_vec() } else { folders }
}

/// The folders in what gcc and clang print with `-v`.
fn listed(text: &str) -> Vec<PathBuf> {
    let list = text.lines().skip_while(|line| !line.starts_with("#include <...>")).skip(1);
    let list = list.take_while(|line| line.starts_with(' '));
    list.map(|line| PathBuf::from(line.trim().trim_end_matches(" (framework directory)"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compilers_own_list_is_read() {
        let text = "ignoring nonexistent directory \"/x\"\n#include \"...\" search starts here:\n\
                    #include <...> search starts here:\n /usr/lib/gcc/include\n /usr/include\nEnd of search list.\n # 0\n";
        assert_eq!(listed(text), [PathBuf::from("/usr/lib/gcc/include"), PathBuf::from("/usr/include")]);
        assert_eq!(listed("cc: error\n"), [] as [PathBuf; 0]);
    }

    #[test]
    fn the_c_library_lies_in_one_of_them() {
        assert!(system_folders().iter().any(|folder| folder.join("stdio.h").is_file()));
    }
}
