// SPDX-License-Identifier: MIT OR Apache-2.0
//! Self-contained pages of tables and pictures.

use crate::chart::Chart;
use crate::table::Table;

/// The look of every page.
pub const STYLE: &str = include_str!("../assets/report.css");
/// What draws charts.
pub const CHARTS: &str = include_str!("../assets/charts.js");
/// The library that it draws with.
pub const CHART_LIBRARY: &str = include_str!("../assets/uPlot.iife.min.js");
/// Its look.
pub const CHART_STYLE: &str = include_str!("../assets/uPlot.min.css");

/// A self-contained page.
pub fn shell(title: &str, body: &str) -> String {
    // Only a page with charts holds what draws them.
    let (style, scripts) = match body.contains("data-chart") {
        true => (
            format!("<style>\n{CHART_STYLE}</style>\n"),
            format!(
                "<script>\n{CHART_LIBRARY}</script>\n<script>\n{CHARTS}</script>\n<script>tengen.charts.all();</script>\n"
            ),
        ),
        false => (String::new(), String::new()),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n{style}<style>\n{STYLE}</style>\n</head>\n<body>\n{body}{scripts}</body>\n\
         </html>\n",
        escape(title)
    )
}

/// A chart with its title.
pub fn chart(chart: &Chart) -> String {
    format!(
        "<figure>\n<figcaption>{}</figcaption>\n<div class=\"chart\" data-chart=\"{}\"></div>\n</figure>\n",
        escape(&chart.title),
        escape(&chart.json())
    )
}

/// Shares of a whole, a bar a row, with a key: each row's name and its shares of 100 in the order of the names.
pub fn shares(title: &str, names: &[&str], rows: &[(String, Vec<f64>)]) -> String {
    let patch = |index: usize| format!("background:var(--series-{})", index % crate::picture::SERIES.len());
    let key: String = names
        .iter()
        .enumerate()
        .map(|(index, name)| format!("<span><i style=\"{}\"></i>{}</span>", patch(index), escape(name)))
        .collect();
    let bar = |(row, shares): &(String, Vec<f64>)| {
        let told: Vec<String> =
            names.iter().zip(shares).map(|(name, share)| format!("{name} {share:.1} %")).collect();
        let parts: String = shares
            .iter()
            .enumerate()
            .map(|(index, share)| format!("<i style=\"width:{share:.2}%;{}\"></i>", patch(index)))
            .collect();
        format!(
            "<div class=\"bar\"><span>{}</span><div role=\"img\" aria-label=\"{}\" title=\"{}\">{parts}</div></div>\n",
            escape(row),
            escape(&told.join(", ")),
            escape(&told.join(", "))
        )
    };
    let bars: String = rows.iter().map(bar).collect();
    format!(
        "<figure>\n<figcaption>{}</figcaption>\n<p class=\"key\">{key}</p>\n{bars}</figure>\n",
        escape(title)
    )
}

/// A table.
pub fn table_html(table: &Table) -> String {
    let line = |tag: &str, cells: &[String]| -> String {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(|cells| line("td", cells)).collect();
    let explained = |(word, meaning): &(String, String)| {
        format!("<dt>{}</dt><dd>{}</dd>\n", escape(word), escape(meaning))
    };
    let words: String = table.words.iter().map(explained).collect();
    let words = if words.is_empty() { words } else { format!("<dl>\n{words}</dl>\n") };
    format!(
        "<p class=\"title\">{0}</p>\n<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Table: {0}\"><table aria-label=\"{0}\">\n<thead>\n{1}</thead>\n<tbody>\n{rows}</tbody>\n\
         </table></div>\n{words}",
        escape(&table.title),
        line("th", &table.head)
    )
}

/// A figure that leads a page.
pub struct Card {
    /// What it is.
    pub name: String,
    /// The figure, with its unit.
    pub value: String,
    /// What it rests on.
    pub note: String,
}

/// Cards side by side, below each other on a narrow screen.
pub fn cards(cards: &[Card]) -> String {
    let card = |Card { name, value, note }: &Card| {
        let [name, value, note] = [name, value, note].map(|text| escape(text));
        format!("<div><span>{name}</span><b>{value}</b><small>{note}</small></div>\n")
    };
    format!("<section class=\"cards\">\n{}</section>\n", cards.iter().map(card).collect::<String>())
}

/// Where a page comes from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The command, as one types it.
    pub command: String,
    /// The day, as 2026-01-31.
    pub date: String,
    /// The processor and its cores.
    pub machine: String,
}

/// The end of a page: how to have it again, when and where it was made.
pub fn footer(origin: &Origin) -> String {
    let Origin { command, date, machine } = origin;
    format!(
        "<footer>Written by <code>{}</code>, tengen {}, on {} on a machine with {}.</footer>\n",
        escape(command),
        env!("CARGO_PKG_VERSION"),
        escape(date),
        escape(machine)
    )
}

/// Text as HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_is_escaped() {
        assert_eq!(super::escape("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    }
}
