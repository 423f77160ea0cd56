//! Places in the source as small numbers. The spans behind them stay in this room and are asked for only to report.

use crate::mir::accepted::Comment;
use crate::mir::declared;
use rustc_data_structures::fx::FxHashMap;
use rustc_hir::HirId;
use rustc_hir::def_id::LocalDefId;
use rustc_middle::ty::TyCtxt;
use rustc_span::{FileName, RemapPathScopeComponents, Span};
use serde::{Deserialize, Serialize};

/// One place in the source of the crate. Numbered in the order of reading, the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(u32);

/// What a site stands for.
#[derive(Default)]
pub struct Sites {
    spans: Vec<(Span, HirId)>,
    /// Functions in which what is found does no harm, as the settings say, and why.
    benign: FxHashMap<LocalDefId, String>,
    /// Comments that accept findings.
    comments: Vec<Comment>,
}

/// A site as people read it; lines and columns count from 1, the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Sites {
    /// `lint_root` is the node whose `#[allow]` and `#[warn]` attributes hold at the span.
    pub fn add(&mut self, span: Span, lint_root: HirId) -> Site {
        self.spans.push((span, lint_root));
        Site(u32::try_from(self.spans.len() - 1).expect("fewer than 2^32 statements"))
    }

    pub(super) fn accept(&mut self, functions: impl IntoIterator<Item = (LocalDefId, String)>, comments: Vec<Comment>) {
        self.benign.extend(functions);
        self.comments = comments;
    }

    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// The comment that accepts what this lint finds at the site.
    pub fn comment(&self, lint: &str, site: Site) -> Option<&Comment> {
        let place = self.span(site);
        self.comments.iter().find(|comment| comment.covers(lint, place))
    }

    /// Why what is found at the site does no harm, if its function is said to be so.
    pub fn benign(&self, tcx: TyCtxt<'_>, site: Site) -> Option<String> {
        let function = self.function(site);
        declared::benign(tcx, function).or_else(|| self.benign.get(&function).cloned())
    }

    /// The function, or whatever item it is, that the site stands in.
    pub fn function(&self, site: Site) -> LocalDefId {
        self.lint_root(site).owner.def_id
    }

    /// Where the user wrote it: for code from a macro, the place where the macro is called.
    pub fn span(&self, site: Site) -> Span {
        self.spans[site.0 as usize].0.source_callsite()
    }

    pub fn lint_root(&self, site: Site) -> HirId {
        self.spans[site.0 as usize].1
    }

    /// Written by a macro of another crate: the user cannot mend it.
    pub fn is_foreign(&self, tcx: TyCtxt<'_>, site: Site) -> bool {
        self.spans[site.0 as usize].0.in_external_macro(tcx.sess.source_map())
    }

    pub fn position(&self, tcx: TyCtxt<'_>, site: Site) -> Position {
        position(tcx, self.span(site))
    }
}

pub fn position(tcx: TyCtxt<'_>, span: Span) -> Position {
    let map = tcx.sess.source_map();
    let (start, end) = (map.lookup_char_pos(span.lo()), map.lookup_char_pos(span.hi()));
    Position {
        file: file_name(&start.file.name),
        line: number(start.line),
        column: number(start.col.0 + 1),
        end_line: number(end.line),
        end_column: number(end.col.0 + 1),
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Relative to the directory the compiler runs in (cargo: the workspace root), with forward slashes.
fn file_name(name: &FileName) -> String {
    let path = match name {
        FileName::Real(real) => real.path(RemapPathScopeComponents::DIAGNOSTICS).to_path_buf(),
        other => return other.prefer_remapped_unconditionally().to_string(),
    };
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().replace('\\', "/")
}
