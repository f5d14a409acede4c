// SPDX-License-Identifier: MIT OR Apache-2.0
//! Documents: the commands they show print what they show, their links lead somewhere, README stays short.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Most lines of README.
const README_LINES: usize = 100;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README, ARCHITECTURE, and every page of docs.
fn pages() -> Vec<PathBuf> {
    let mut pages =
        vec![root().join("README.md"), root().join("ARCHITECTURE.md"), root().join("CONTRIBUTING.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

#[test]
fn commands_print_what_is_shown() {
    // Else its compilation would be told among what is printed.
    let config = engine_model::named::named("gomoku15").unwrap();
    cosim::models::model(&config, cosim::Kind::TracedCore).unwrap();
    let program = trycmd::schema::Bin::Path(env!("CARGO_BIN_EXE_tengen").into());
    trycmd::TestCases::new()
        .env("TENGEN_QUIET", "1")
        .register_bin("./tengen", program)
        .case("README.md")
        .case("docs/commands.md")
        .run();
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            assert!(page.parent().unwrap().join(file).exists(), "{}: {link}", page.display());
        }
    }
}

/// A line of text right behind a table is rendered as a row of it.
#[test]
fn tables_end_with_an_empty_line() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let goes_on = ["|", "<!--"].iter().any(|start| pair[1].starts_with(start)) || pair[1].is_empty();
            assert!(!pair[0].starts_with('|') || goes_on, "{}: {}", page.display(), pair[1]);
        }
    }
}

/// Files of the repository with one of these endings, as git lists them.
fn tracked(endings: &[&str]) -> Vec<String> {
    let listed = Command::new("git").arg("ls-files").current_dir(root()).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).unwrap();
    listed.lines().filter(|file| endings.iter().any(|end| file.ends_with(end))).map(String::from).collect()
}

/// `a/{b,c}.rs` as two names.
fn alternatives(name: &str) -> Vec<String> {
    let Some((before, rest)) = name.split_once('{') else { return vec![name.into()] };
    let Some((inside, after)) = rest.split_once('}') else { return vec![name.into()] };
    inside.split(',').map(|one| format!("{before}{one}{after}")).collect()
}

/// The names in code spans of a text that begin with a folder of the repository's root: what a reader would open.
fn files_named(text: &str) -> Vec<&str> {
    let spans = text.split('`').skip(1).step_by(2);
    let is_path = |name: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-{},".contains(c);
        name.contains('/') && name.chars().all(plain) && !name.contains("..") && !name.contains("NAME")
    };
    let folder = |name: &str| {
        let first = name.split('/').next().unwrap_or_default();
        !matches!(first, "" | ".") && root().join(first).is_dir()
    };
    // What a run writes is in no checkout.
    let made = |name: &str| ["target/", "build/"].iter().any(|start| name.starts_with(start));
    spans.filter(|name| is_path(name) && folder(name) && !made(name)).collect()
}

/// Comments of documentation alone, and the text of a page but for its blocks of code.
fn prose(file: &str, text: &str) -> String {
    if file.ends_with(".rs") {
        let line = |line: &str| {
            let line = line.trim_start();
            Some(line.strip_prefix("///").or(line.strip_prefix("//!"))?.to_string() + "\n")
        };
        return text.lines().filter_map(line).collect();
    }
    text.split("```").step_by(2).collect()
}

#[test]
fn files_that_prose_names_are_there() {
    let mut named = 0;
    let mut missing = Vec::new();
    for file in tracked(&[".md", ".rs"]) {
        let Ok(text) = std::fs::read_to_string(root().join(&file)) else { continue };
        for name in files_named(&prose(&file, &text)).into_iter().flat_map(alternatives) {
            named += 1;
            // From the root, or from a folder around the page: a crate's own.
            let place = root().join(&file);
            if !place
                .ancestors()
                .take_while(|folder| folder.starts_with(root()))
                .any(|of| of.join(&name).exists())
            {
                missing.push(format!("{file}: {name}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(named > 100, "{named}");
}

/// A comment that names a rule by its number says where the rules are.
#[test]
fn rule_numbers_lead_to_the_search_contract() {
    let comment = |line: &&str| line.trim_start().starts_with("//");
    let numbered = |line: &str| {
        let line = line.to_lowercase();
        let behind = |word: &str| {
            line.match_indices(word)
                .any(|(at, _)| line[at + word.len()..].starts_with(|c: char| ('0'..='6').contains(&c)))
        };
        behind("rule ") || behind("rules ")
    };
    let mut found = 0;
    for file in tracked(&[".rs"]) {
        let sources = ["engine-model/src/", "hdl/src/", "players/src/", "cosim/src/"];
        let Ok(text) = std::fs::read_to_string(root().join(&file)) else { continue };
        if sources.iter().any(|folder| file.starts_with(folder)) && text.lines().filter(comment).any(numbered)
        {
            found += 1;
            assert!(text.contains("docs/search-contract.md"), "{file}: name the page that has the rules");
        }
    }
    assert!(found > 8, "{found}");
}

#[test]
fn every_page_is_in_the_index_and_readme_is_short() {
    let index = std::fs::read_to_string(root().join("docs/README.md")).unwrap();
    for page in pages().iter().filter(|page| page.starts_with(root().join("docs"))) {
        let name = page.strip_prefix(root().join("docs")).unwrap().display().to_string();
        assert!(name == "README.md" || index.contains(&format!("]({name})")), "{name} is not in the index");
    }
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= README_LINES, "{} lines", readme.lines().count());
}
