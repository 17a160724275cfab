//! What is said of results of earlier runs.

/// What those are told who want to know.
pub const REMARK: &str = "these are the results of an earlier run, of which nothing has changed";

/// What ends remarks on the parts of a run that an earlier one has done.
pub const AGAIN: &str = "as in an earlier run";

/// The remarks that are about the analysis itself.
pub fn own(remarks: &[String]) -> Vec<String> {
    remarks.iter().filter(|text| *text != REMARK && !text.ends_with(AGAIN)).cloned().collect()
}
