//! The page: style, script and data put into its frame.

use super::data::data;
use crate::report::Excerpts;
use crate::verdict::Analysis;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The whole file. `verbose`: safe and unreachable sites are listed too, not only marked in the sources.
pub fn render_html(analysis: &Analysis, excerpts: &mut Excerpts, verbose: bool) -> String {
    let data = serde_json::to_string(&data(analysis, excerpts, verbose)).expect("strings and numbers always serialize");
    // Data cannot end the element that it stands in.
    let data = data.replace('<', "\\u003c");
    let (before, rest) = PAGE.split_once("@STYLE@").expect("the page has a place for its style");
    let (middle, rest) = rest.split_once("@DATA@").expect("the page has a place for its data");
    let (last, after) = rest.split_once("@SCRIPT@").expect("the page has a place for its script");
    [before, STYLE, middle, &data, last, SCRIPT, after].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::{SOURCE, sample};

    /// The page of the sample, and the data in it.
    fn page(analysis: &Analysis, source: &str, verbose: bool) -> (String, serde_json::Value) {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(dir.path().join("a.c"), source).expect("a file");
        let page = render_html(analysis, &mut Excerpts::new(vec![dir.path().to_owned()]), verbose);
        let start = page.split_once("id=\"data\">").expect("the data is there").1;
        let data = start.split_once("</script>").expect("the data ends").0;
        let data = serde_json::from_str(data).expect("JSON");
        (page, data)
    }

    #[test]
    fn the_page_has_findings_sources_and_states_of_lines() {
        let (page, data) = page(&sample(), SOURCE, false);
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
        assert_eq!(data["findings"].as_array().map(Vec::len), Some(3));
        assert_eq!(data["files"][0]["lines"][2], "  int x = 100 / data;");
        assert_eq!(data["files"][0]["state"]["3"], "definite");
        assert_eq!(data["files"][0]["state"]["4"], "possible", "the worst of its sites");
        let definite = data["findings"].as_array().and_then(|l| l.iter().find(|f| f["verdict"] == "definite"));
        let definite = definite.expect("one is definite");
        assert_eq!(definite["when"][0], "rand() at line 2 returns 0");
        assert_eq!(definite["columns"], serde_json::json!([17, 21]));
    }

    #[test]
    fn verbose_pages_list_what_is_safe() {
        let (_, data) = page(&sample(), SOURCE, true);
        assert_eq!(data["findings"].as_array().map(Vec::len), Some(5));
    }

    #[test]
    fn nothing_in_a_source_is_markup() {
        let hostile = "int main(void) {\n</script><script>alert(1)</script><!--\n  int x = 100 / data;\n}\n";
        let (page, data) = page(&sample(), hostile, false);
        assert_eq!(data["files"][0]["lines"][1], "</script><script>alert(1)</script><!--");
        assert_eq!(page.matches("alert(1)").count(), 1);
        assert!(!page.contains("<script>alert"));
    }

    #[test]
    fn the_page_asks_nothing_of_a_network() {
        let (page, _) = page(&sample(), SOURCE, false);
        for word in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}
