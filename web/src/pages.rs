// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the page is made of, inside the program: nothing is loaded from elsewhere.

/// A part of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Name by which it is asked for.
    pub name: &'static str,
    /// Media type.
    pub media: &'static str,
    /// Its text.
    pub text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! asset {
    ($name:literal, $media:expr) => {
        Asset { name: $name, media: $media, text: include_str!(concat!("../assets/", $name)) }
    };
}

/// The page itself.
pub const PAGE: Asset = asset!("page.html", "text/html; charset=utf-8");

/// Everything that it loads.
pub const ASSETS: [Asset; 18] = [
    // The look and the charts of reports are the page's.
    Asset { name: "report.css", media: STYLE, text: figures::html::STYLE },
    Asset { name: "uPlot.min.css", media: STYLE, text: figures::html::CHART_STYLE },
    Asset { name: "uPlot.iife.min.js", media: SCRIPT, text: figures::html::CHART_LIBRARY },
    Asset { name: "charts.js", media: SCRIPT, text: figures::html::CHARTS },
    asset!("style.css", STYLE),
    asset!("icon.svg", "image/svg+xml"),
    asset!("tools.js", SCRIPT),
    asset!("board.js", SCRIPT),
    asset!("replay.js", SCRIPT),
    asset!("tree.js", SCRIPT),
    asset!("lecture.js", SCRIPT),
    asset!("core.js", SCRIPT),
    asset!("alone.js", SCRIPT),
    asset!("link.js", SCRIPT),
    asset!("game.js", SCRIPT),
    asset!("analysis.js", SCRIPT),
    asset!("measure.js", SCRIPT),
    asset!("app.js", SCRIPT),
];

/// Circuits of the pipeline's stages, as they are written.
pub const SOURCES: [(&str, &str); 4] = [
    ("search_requests.rs", include_str!("../../hdl/src/circuits/search/search_requests.rs")),
    ("node_builder.rs", include_str!("../../hdl/src/circuits/search/node_builder.rs")),
    ("evaluator.rs", include_str!("../../hdl/src/circuits/evaluator/mod.rs")),
    ("search_results.rs", include_str!("../../hdl/src/circuits/search/search_results.rs")),
];

/// The source of this name.
pub fn source(name: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(of, _)| *of == name).map(|(_, text)| *text)
}

/// The part of this name.
pub fn asset(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}
