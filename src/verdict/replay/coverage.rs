//! Whether a run came to a line, by the compiler's own counters (gcov).

use super::process::run;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often `line` of the file called `name` was executed by a program that has ended and left its counters in files; each
/// comes with the folder that its unit was compiled in. None when nobody counted.
pub(super) fn executions(counters: &[(PathBuf, Option<&Path>)], name: &str, line: u32, limit: Duration) -> Option<u64> {
    let mut most = None;
    for (path, folder) in counters.iter().filter(|(path, _)| path.exists()) {
        let words = ["gcov", "--stdout", &path.display().to_string()].map(str::to_owned);
        let Ok(ended) = run(&words, *folder, &[], limit, true) else { continue };
        most = most.max(count(&ended.text, name, line));
    }
    most
}

/// The count of a line in gcov's listing: `        5:   12:source`, `    #####:   12:source`, and the file's name in a line
/// numbered 0.
fn count(listing: &str, name: &str, line: u32) -> Option<u64> {
    let mut in_file = false;
    let mut most = None;
    for text in listing.lines() {
        let mut parts = text.splitn(3, ':');
        let (Some(count), Some(number), Some(rest)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let Ok(number) = number.trim().parse::<u32>() else { continue };
        if number == 0 {
            if let Some(source) = rest.strip_prefix("Source:") {
                in_file = Path::new(source).file_name() == Path::new(name).file_name();
            }
        } else if in_file && number == line {
            let count = count.trim().trim_end_matches('*');
            let executed = if count.starts_with(['#', '=']) { Some(0) } else { count.parse().ok() };
            most = most.max(executed);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_listings() {
        let listing = "        -:    0:Source:src/a.c\n        3:    1:int x;\n    #####:    2:y:z;\n        5*:    3:w;\n        \
                       -:    4:}\n        -:    0:Source:b.c\n        9:    4:int q;\n";
        assert_eq!([1, 2, 3, 4].map(|l| count(listing, "a.c", l)), [Some(3), Some(0), Some(5), None]);
        assert_eq!(count(listing, "lib/b.c", 4), Some(9));
    }
}
