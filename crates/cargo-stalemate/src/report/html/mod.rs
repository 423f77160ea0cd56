//! The report as pages for a browser: `index.html` with all findings, `locks.html` with the order of locks, `guards.html`,
//! and one page for each source file that is spoken of. They need no network and no server, and the same run always
//! gives the same bytes. Templates escape all that comes from the checked code; only our own style and script are
//! exempt. In walking order:
//!
//! - [`output`]: where it may be written;
//! - [`naming`], [`colours`], [`places`]: what locks, fields, causes and files are called, and how they are told apart;
//! - [`model`]: the findings by rank, with all of that;
//! - [`index`], [`source_view`], [`locks`], [`guards`]: the pages, in the frame of [`page`];
//! - [`cards`] and [`lanes`]: a finding and its schedule; [`bands`] and [`syntax`]: a line of code; [`sites`]: what is underlined in it;
//! - [`graph`] and [`drawing`]: the order of locks.

mod bands;
mod cards;
mod colours;
mod digest;
mod drawing;
mod graph;
mod guards;
mod index;
mod lanes;
mod locks;
mod model;
mod naming;
mod output;
mod page;
mod places;
mod prose;
mod sites;
mod source_view;
mod syntax;

pub use output::{Output, Refused};

use super::source::Sources;
use askama::Template;
use finding::RunInfo;
use finding::facts::Recorded;
use finding::guards::LocationGuards;
use finding::map::LockMap;
use model::Model;
use std::io;
use std::path::{Path, PathBuf};

/// All that the pages tell.
pub struct Input<'a> {
    /// The directory that places are relative to.
    pub root: &'a Path,
    pub run: &'a RunInfo,
    /// The line that the text report ends with.
    pub summary: &'a str,
    pub findings: &'a [Recorded],
    pub guards: &'a [LocationGuards],
    pub map: &'a LockMap,
}

/// Writes the pages and gives the path of the first one.
pub fn write(output: &Output, input: &Input) -> io::Result<PathBuf> {
    let model = Model::new(input);
    let mut pages = vec![
        ("locks.html".to_owned(), text(&locks::locks_page(&model))?),
        ("guards.html".to_owned(), text(&guards::guards_page(&model))?),
    ];
    let mut sources = Sources::new(input.root);
    let remarks = source_view::Remarks::new(&model);
    for (file, page) in model.pages.iter() {
        let source = source_view::source_page(&model, &remarks, &mut sources, file);
        pages.push((output::source_page_name(page), text(&source)?));
    }
    output.write(pages, &text(&index::index_page(&model))?)
}

fn text(page: &impl Template) -> io::Result<String> {
    page.render().map_err(io::Error::other)
}
