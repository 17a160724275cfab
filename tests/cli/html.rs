//! The page in a browser, where there is one: Chromium shows every view of it without an error. Machines without a browser
//! pass these tests by, and say so.

use crate::run::Folder;
use std::process::Command;

const SOURCE: &str = "\
#include <stdlib.h>
static int table[4];
static int at(const int *all, int n) { return all[n]; }
struct sums { int sum; };
int main(int argc, char **argv) {
    struct sums all = {.sum = argc};
    int sum = 0; /* the sum of all */
    for (int i = 0; i < 4; i++) sum += table[i];
    if (argc == 3) sum = at(table, argc + 1); // no \"sum\"
    if (all.sum > 9) system(\"sum\");
    return 10 / (sum - rand());
}
";

/// The first browser that runs.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()))
}

/// What a view of the page shows, as text with markup.
fn shown(folder: &Folder, browser: &str, view: &str, width: u32) -> String {
    shown_of(folder, browser, &format!("page.html{view}"), width)
}

/// What a page's view, both in one, shows.
fn shown_of(folder: &Folder, browser: &str, view: &str, width: u32) -> String {
    let url = format!("file://{}", folder.path(view).display());
    let profile = format!("--user-data-dir={}", folder.path("profile").display());
    let size = format!("--window-size={width},900");
    let options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"];
    let options = options.into_iter().chain([profile.as_str(), size.as_str(), "--virtual-time-budget=5000", &url]);
    let output = Command::new(browser).args(options).output().expect("the browser runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("CONSOLE"), "{view}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_view_is_shown_without_an_error() {
    let Some(browser) = browser() else {
        eprintln!("no Chromium here: the page is not looked at");
        return;
    };
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let ended = folder.run(&["check", "a.c", "--format", "html", "-o", "page.html", "--no-cache"]);
    assert_eq!(ended.status, 1, "{}", ended.err);
    let page = std::fs::read_to_string(folder.path("page.html")).expect("the page is there");
    let data = page.split_once("id=\"data\">").expect("it has data").1;
    let data: serde_json::Value =
        serde_json::from_str(data.split_once("</script>").expect("the data ends").0).expect("the data is JSON");
    let all = data["findings"].as_array().expect("a list");
    let id = all.iter().find(|f| f["verdict"] == "definite").expect("one is definite")["id"].as_str().expect("an id");
    let finding = format!("#/finding/{id}");
    // What each view must have; the page itself holds its data as text, so that words are looked for in elements.
    for (view, words) in [
        ("", ["<h1>", "definite finding"]),
        ("#/findings/definite", ["<h1>Findings</h1>", "out of bounds"]),
        (finding.as_str(), ["class=\"steps\"", "aria-current=\"step\""]),
        ("#/file/a.c/8", ["<span class=\"var\">sum</span>", "id=\"values\""]),
        ("#/functions", ["<h1>Functions</h1>", "main()"]),
        ("#/loops", ["<h1>Loops</h1>", "ends"]),
        ("#/gaps", ["<h1>Not analysed</h1>", "Everything was."]),
    ] {
        for width in [390, 1400] {
            let text = shown(&folder, browser, view, width);
            let main = text.split_once("<main").expect("a page").1.split_once("</main>").expect("its end").0;
            assert!(words.iter().all(|word| main.contains(word)), "{view}: {main}");
            if view.starts_with("#/file/") {
                // Not in comments, strings, or as a member.
                assert_eq!(main.matches("<span class=\"var\">sum</span>").count(), 4, "{main}");
            }
        }
    }
    // With the values below the lines, a line has those of its own variables.
    let pressed = "<script>document.getElementById(\"values\").click()</script></body>";
    folder.write("pressed.html", page.replace("</body>", pressed).as_bytes());
    let text = shown_of(&folder, browser, "pressed.html#/file/a.c/8", 1400);
    let line =
        text.split_once("data-line=\"8\"").expect("the line").1.split_once("data-line=\"9\"").expect("the next").0;
    let note = line.split_once("note value").expect("values").1;
    assert!(note.contains("sum: ") && !note.contains("argc: "), "{note}");
}
