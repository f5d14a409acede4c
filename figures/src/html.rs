// SPDX-License-Identifier: MIT OR Apache-2.0
//! Self-contained pages of tables and pictures.

use crate::picture::colour;
use crate::table::Table;

/// The colours, tables and figures of every page.
pub const STYLE: &str = include_str!("report.css");

/// A self-contained page.
pub fn shell(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n\
         </html>\n",
        escape(title)
    )
}

/// A picture with its title and, where it has several series, the number and name of each.
pub fn figure(title: &str, series: &[(usize, String)], svg: &str) -> String {
    let key: String = series
        .iter()
        .map(|(index, name)| {
            let plotters::style::RGBColor(red, green, blue) = colour(*index);
            format!("<span><i style=\"background:rgb({red},{green},{blue})\"></i>{}</span>", escape(name))
        })
        .collect();
    let key = if key.is_empty() { key } else { format!("<p class=\"key\">{key}</p>\n") };
    format!(
        "<figure>\n<figcaption>{}</figcaption>\n{key}<div class=\"plot\">{svg}</div>\n</figure>\n",
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
        "<p class=\"title\">{0}</p>\n<div class=\"table\"><table aria-label=\"{0}\">\n<thead>\n{1}</thead>\n<tbody>\n{rows}</tbody>\n\
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

/// The end of a page: how to have it again.
pub fn footer(command: &str) -> String {
    format!(
        "<footer>Made by <code>{}</code>, tengen {}.</footer>\n",
        escape(command),
        env!("CARGO_PKG_VERSION")
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
