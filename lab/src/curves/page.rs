// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of the curves: its marked sections are written anew, the text between them is left alone.

use super::plan::{Bases, Curve};
use super::tables::{self, Fresh};
use crate::points::point::{Figures, Point, Set};
use std::collections::BTreeSet;

/// Ends a section.
const END: &str = "<!-- end -->";
/// Section with the origin of the figures.
const SOURCE: &str = "source";
/// Section with what limits the core.
const LIMITS: &str = "limits";

fn begin(section: &str) -> String {
    format!("<!-- curves: {section} -->")
}

/// Why a page cannot be brought up to date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// A section is missing.
    #[error(
        "the page has no section {section}: add the lines `{}` and `{END}` to it, or move it away to have a new one \
         written",
        begin(section)
    )]
    Missing {
        /// Its name.
        section: &'static str,
    },
    /// A section does not end.
    #[error("the page's section {section} does not end: add the line `{END}`")]
    Open {
        /// Its name.
        section: &'static str,
    },
}

/// The page with its sections written anew; without a page, a plain one.
pub fn updated(page: Option<&str>, sections: &[(&'static str, String)]) -> Result<String, PageError> {
    let mut page = page.map_or_else(|| plain(sections), String::from);
    for (section, text) in sections {
        let mark = begin(section);
        let Some(at) = page.find(&mark) else { return Err(PageError::Missing { section }) };
        let from = at + mark.len();
        let Some(length) = page[from..].find(END) else { return Err(PageError::Open { section }) };
        // The next section must not begin before this one's end.
        if page[from..from + length].contains("<!-- curves:") {
            return Err(PageError::Open { section });
        }
        page.replace_range(from..from + length, &format!("\n{text}"));
    }
    Ok(page)
}

fn plain(sections: &[(&'static str, String)]) -> String {
    let mut page = String::from("# Cost curves\n");
    for (section, _) in sections {
        page.push_str(&format!("\n## {section}\n\n{}\n{END}\n", begin(section)));
    }
    page
}

/// All sections, with the pictures in this folder.
pub fn sections(
    bases: &Bases,
    points: &[Point],
    fresh: Fresh,
    pictures: &str,
) -> Vec<(&'static str, String)> {
    let mut sections = vec![(SOURCE, source(points))];
    sections.extend(Curve::ALL.map(|curve| (curve.name(), section(bases, curve, points, fresh, pictures))));
    let limits = tables::limits(bases, points, fresh);
    let limits = if limits.rows.is_empty() { unmeasured(Curve::Candidates) } else { limits.markdown() };
    sections.push((LIMITS, limits));
    sections
}

fn unmeasured(curve: Curve) -> String {
    format!("Not measured yet: `./tengen curves --only {}`.\n", curve.name())
}

fn section(bases: &Bases, curve: Curve, points: &[Point], fresh: Fresh, pictures: &str) -> String {
    let series = bases.series(curve, points);
    if series.is_empty() {
        return unmeasured(curve);
    }
    let table = tables::table(curve, &series, fresh);
    let mut text = format!("![{}]({pictures}/{}.svg)\n\n{}", table.title, curve.name(), table.markdown());
    if let Some(marks) = tables::marks(curve, &series, fresh) {
        text.push_str(&format!("\n\\{marks}\n"));
    }
    if curve == Curve::Candidates {
        for (name, power) in exponents(bases, points) {
            text.push_str(&format!(
                "\n{name}: cycles grow with the moves at the root to the power {power:.2} (least squares over the logarithms).\n"
            ));
        }
    }
    text
}

/// Growth with the moves at the root, search by search.
pub fn exponents(bases: &Bases, points: &[Point]) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    for series in bases.series(Curve::Candidates, points) {
        let powers = tables::searches(&series).filter_map(|(_, search)| tables::exponent(search));
        all.extend(powers.map(|power| (series.name.clone(), power)));
    }
    all
}

/// Where the figures come from.
fn source(points: &[Point]) -> String {
    let mut versions = BTreeSet::new();
    let (mut simulators, mut syntheses, mut positions) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for point in points {
        versions.insert(point.tengen.clone());
        match &point.figures {
            Figures::Search(search) => {
                simulators.insert(search.simulator.clone());
                let board = match search.positions.set {
                    Set::Frozen => String::new(),
                    Set::SelfPlay => format!(" of {} x {}", point.config.columns, point.config.rows),
                };
                let used = &search.positions;
                positions.insert(format!("{} {}{board}", used.count, used.set.name()));
            }
            Figures::Area(area) => {
                syntheses.insert(area.synthesis.clone());
            }
        }
    }
    let mut text = String::new();
    for (what, names) in
        [("tengen", versions), ("simulator", simulators), ("synthesis", syntheses), ("positions", positions)]
    {
        let names: Vec<String> = names.into_iter().collect();
        text.push_str(&format!(
            "- {what}: {}\n",
            if names.is_empty() { "-".into() } else { names.join("; ") }
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_page_has_every_section() {
        let bases =
            Bases { main: engine_model::named::named(engine_model::named::MAIN).unwrap(), deep: None };
        let sections = sections(&bases, &[], &|_| true, "curves");
        updated(Some(include_str!("../../../docs/curves.md")), &sections).unwrap();
    }

    #[test]
    fn only_the_sections_change() {
        let sections = [("a", "first\n".to_string()), ("b", "second\n".to_string())];
        let page = updated(None, &sections).unwrap();
        let own = page.replace("## b", "My words.").replace("first", "old");
        let again = updated(Some(&own), &sections).unwrap();
        assert_eq!(again, page.replace("## b", "My words."));
        for (wrong, part) in [
            (page.replace("<!-- curves: b -->", ""), "no section b: add the lines `<!-- curves: b -->`"),
            (page.replacen(END, "", 1), "section a does not end"),
            (page.replace(END, ""), "section a does not end"),
        ] {
            let message = updated(Some(&wrong), &sections).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
