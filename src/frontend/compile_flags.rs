//! Which compiler flags the preprocessor must see, and which change the meaning of C in ways that the analysis does not follow.

/// A flag that is not passed on although it means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dropped {
    pub flag: String,
    /// What it would change.
    pub effect: &'static str,
}

/// Flags with an argument of their own that say nothing to the preprocessor.
const SKIPPED_WITH_ARGUMENT: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-Xlinker",
    "-Xassembler",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-x",
    "-arch",
    "--param",
];

/// Flags with an argument, in the same word or the next, that the preprocessor needs.
const KEPT_WITH_ARGUMENT: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "--sysroot",
    "-imultilib",
];

/// Flags of the language that change what an accepted program means.
const MEANINGFUL: &[(&str, &str)] = &[
    ("-funsigned-char", "plain `char` is analysed as signed"),
    ("-fshort-enums", "enumerations are analysed as `int`"),
    ("-fshort-wchar", "`wchar_t` is analysed as `int`"),
    ("-fpack-struct", "structures are laid out with their usual alignment"),
    ("-fwrapv", "signed overflow is still reported"),
    ("-ftrapv", "signed overflow is reported, not trapped"),
    ("-mms-bitfields", "bit-fields are laid out by the System V ABI"),
    ("-malign-double", "`double` keeps its usual alignment"),
];

/// Whether the word behind a flag of a compiler is the flag's argument.
pub(crate) fn takes_next_word(flag: &str) -> bool {
    SKIPPED_WITH_ARGUMENT.contains(&flag) || KEPT_WITH_ARGUMENT.contains(&flag)
}

/// The flags for `cc -E` among `flags`, and what was dropped though it matters.
pub(super) fn preprocessor_flags<'a>(flags: impl Iterator<Item = &'a String>) -> (Vec<String>, Vec<Dropped>) {
    let mut flags = flags.peekable();
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    while let Some(flag) = flags.next() {
        let flag = flag.as_str();
        if SKIPPED_WITH_ARGUMENT.contains(&flag) {
            flags.next();
        } else if let Some(list) = flag.strip_prefix("-Wp,") {
            let words = list.split(',').filter(|w| ["-D", "-U", "-I"].iter().any(|k| w.starts_with(k)));
            kept.extend(words.map(str::to_owned));
        } else if KEPT_WITH_ARGUMENT.contains(&flag) {
            if let Some(argument) = flags.next() {
                kept.push(flag.to_owned());
                kept.push(argument.clone());
            }
        } else if let Some((_, effect)) =
            MEANINGFUL.iter().find(|(f, _)| flag == *f || flag.starts_with(&format!("{f}=")))
        {
            dropped.push(Dropped { flag: flag.to_owned(), effect });
        } else if says_something(flag) {
            kept.push(flag.to_owned());
        }
    }
    (kept, dropped)
}

/// Whether a flag without a word behind it can change the preprocessed text.
fn says_something(flag: &str) -> bool {
    if !flag.starts_with('-') || flag == "-" {
        return false;
    }
    KEPT_WITH_ARGUMENT.iter().any(|k| flag.starts_with(k))
        || flag.starts_with("-std")
        || flag.starts_with("--std")
        || flag.starts_with("-nostdinc")
        || (flag.starts_with("-m") && !matches!(flag, "-m32" | "-m64" | "-mx32"))
        || matches!(flag, "-ansi" | "-pthread" | "-undef" | "-trigraphs" | "-traditional-cpp" | "-fgnu89-inline")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str) -> (String, Vec<String>) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (kept, dropped) = preprocessor_flags(words.iter());
        (kept.join(" "), dropped.into_iter().map(|d| d.flag).collect())
    }

    #[test]
    fn only_flags_of_the_preprocessor_stay() {
        let line = "-c -O2 -g -Wall -Werror -I inc -Iother -DA=1 -D B -UX -MMD -MF a.d -o a.o -std=gnu99 -fPIC a.c -lm";
        assert_eq!(flags(line).0, "-I inc -Iother -DA=1 -D B -UX -std=gnu99");
        assert_eq!(
            flags("-Wp,-D_FORTIFY_SOURCE=2,-MD,a.d -march=native -m32 -pthread").0,
            "-D_FORTIFY_SOURCE=2 -march=native -pthread"
        );
    }

    #[test]
    fn flags_that_change_the_language_are_named() {
        assert_eq!(flags("-funsigned-char -fpack-struct=2 -O2").1, ["-funsigned-char", "-fpack-struct=2"]);
    }

    #[test]
    fn an_argument_that_is_missing_is_no_panic() {
        assert_eq!(flags("-o").0, "");
        assert_eq!(flags("-I").0, "");
    }
}
