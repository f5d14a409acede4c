// SPDX-License-Identifier: MIT OR Apache-2.0
//! Documents: the commands they show print what they show, their links lead somewhere, README stays short.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};

/// Most lines of README.
const README_LINES: usize = 100;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README, ARCHITECTURE, and every page of docs.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
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
