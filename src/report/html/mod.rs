//! An analysis as one HTML file that needs nothing else: overview, search, annotated sources, traces to step through.
//!
//! * [`data`](mod@data): what the page shows, as JSON inside it; [`insight`]: of functions, variables and loops; [`render`]: the page around it.
//! * `page.html`, `style.css`, `script.js`: the page, which asks nothing of any network.
mod data;
mod insight;
mod render;

pub use render::render_html;
