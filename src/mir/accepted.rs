//! Comments and attributes in the code that accept findings: which there are, and what they cover.
//!
//! A comment `// stalemate: allow(lint) -- reason` means what an attribute in its place would mean: on a line of its own it
//! covers the item, statement or arm that follows, behind code it covers its line. It needs no `cfg`, and no rustc knows it.
//! Comments are found by the compiler's own lexer, so one inside a string is none. Code that is not compiled here, or is
//! test code that nobody asked about, says nothing about what its comments are good for.

use crate::mir::compat::is_in_test;
use finding::acceptance::{CommentMistake, Said, read_comment};
use finding::lints::NAMES;
use rustc_hir::def_id::LOCAL_CRATE;
use rustc_hir::intravisit::{self, Visitor};
use rustc_hir::{Arm, CRATE_HIR_ID, Expr, HirId, ImplItem, Item, Stmt, TraitItem};
use rustc_lexer::{FrontmatterAllowed, TokenKind, strip_shebang, tokenize};
use rustc_lint_defs::{Level, Lint, LintId};
use rustc_middle::hir::nested_filter;
use rustc_middle::lint::LintLevelSource;
use rustc_middle::ty::TyCtxt;
use rustc_span::{BytePos, SourceFile, Span};
use std::collections::BTreeMap;

/// What every comment of ours has in it.
const NAME: &str = "stalemate:";

/// A comment that accepts findings, or tries to.
#[derive(Clone, Debug)]
pub struct Comment {
    pub at: Span,
    pub lints: Vec<String>,
    pub reason: String,
    pub mistake: Option<CommentMistake>,
    /// From the first byte that it covers to the last.
    covers: (BytePos, BytePos),
    /// It stands in code that is looked at.
    lives: bool,
}

impl Comment {
    pub(super) fn covers(&self, lint: &str, place: Span) -> bool {
        let (from, to) = self.covers;
        let names = self.mistake.is_none() && self.lints.iter().any(|known| known == lint);
        names && from <= place.lo() && place.lo() <= to
    }
}

/// All comments of the crate's files, in the order of the source map.
pub(super) fn comments(tcx: TyCtxt<'_>, tests: bool) -> Vec<Comment> {
    let files = tcx.sess.source_map().files();
    let own = files.iter().filter(|file| file.cnum == LOCAL_CRATE && file.name.is_real());
    let mut found: Vec<(Comment, Option<BytePos>)> = own.flat_map(|file| in_file(file)).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let starts = found.iter().enumerate().filter_map(|(number, (_, next))| Some((next.as_ref()?.0, number)));
    let mut targets = Targets { tcx, tests, starts: starts.collect(), widest: BTreeMap::new(), bodies: Vec::new() };
    tcx.hir_walk_toplevel_module(&mut targets);
    let Targets { widest, bodies, .. } = targets;
    for (number, (comment, _)) in found.iter_mut().enumerate() {
        if let Some(&end) = widest.get(&number) {
            comment.covers.1 = comment.covers.1.max(end);
        }
        let place = comment.covers.0;
        comment.lives = widest.contains_key(&number) || bodies.iter().any(|(from, to)| *from <= place && place <= *to);
    }
    found.into_iter().map(|(comment, _)| comment).filter(|comment| comment.lives).collect()
}

/// The comments of a file, each with the start of the code that it stands before, if it stands on a line of its own.
fn in_file(file: &SourceFile) -> Vec<(Comment, Option<BytePos>)> {
    let Some(text) = file.src.as_deref().filter(|text| text.contains(NAME)) else { return Vec::new() };
    let tokens = tokens(text);
    let at = |offset: usize| file.start_pos + BytePos(u32::try_from(offset).unwrap_or(u32::MAX));
    let line_end = |offset: usize| text[offset..].find('\n').map_or(text.len(), |end| offset + end);
    let line_start = |offset: usize| text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let mut found = Vec::new();
    for (number, &(kind, from, to)) in tokens.iter().enumerate() {
        let Some(said) = words_of(kind, &text[from..to]).and_then(|words| read_comment(words, NAMES)) else { continue };
        let (lints, reason, mistake) = match said {
            Said::Allow { lints, reason } => (lints.into_iter().map(str::to_owned).collect(), reason, None),
            Said::Wrong(mistake, word) => (vec![word.to_owned()], "", Some(mistake)),
        };
        let alone = text[line_start(from)..from].trim().is_empty();
        let next = alone.then(|| code_after(&tokens, number, text)).flatten();
        let start = next.unwrap_or(line_start(from));
        found.push((
            Comment {
                at: Span::with_root_ctxt(at(from), at(to)),
                lints,
                reason: reason.to_owned(),
                mistake,
                covers: (at(start), at(line_end(start))),
                lives: false,
            },
            next.map(at),
        ));
    }
    found
}

type Token = (TokenKind, usize, usize);

fn tokens(text: &str) -> Vec<Token> {
    let mut offset = strip_shebang(text).unwrap_or(0);
    let tokens = tokenize(&text[offset..], FrontmatterAllowed::Yes);
    tokens
        .map(|token| {
            let from = offset;
            offset += token.len as usize;
            (token.kind, from, offset)
        })
        .collect()
}

/// Documentation is for other readers.
fn words_of(kind: TokenKind, text: &str) -> Option<&str> {
    match kind {
        TokenKind::LineComment { doc_style: None } => text.strip_prefix("//"),
        TokenKind::BlockComment { doc_style: None, .. } => text.strip_prefix("/*")?.strip_suffix("*/"),
        _ => None,
    }
}

/// The first token behind a comment that is neither space, nor another comment, nor part of an attribute.
fn code_after(tokens: &[Token], comment: usize, text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut rest = tokens[comment + 1..].iter().peekable();
    while let Some(&(kind, from, to)) = rest.next() {
        match kind {
            TokenKind::Whitespace | TokenKind::LineComment { .. } | TokenKind::BlockComment { .. } => {}
            TokenKind::OpenBracket if depth > 0 => depth += 1,
            TokenKind::CloseBracket if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            TokenKind::Pound if text[to..].starts_with('[') => {
                depth = 1;
                rest.next();
            }
            _ => return Some(from),
        }
    }
    None
}

/// Looks for what the comments stand before, and for the functions they stand in.
struct Targets<'tcx> {
    tcx: TyCtxt<'tcx>,
    tests: bool,
    /// Where the code behind a comment starts, and which comment it is.
    starts: BTreeMap<u32, usize>,
    /// The end of the largest thing that starts there.
    widest: BTreeMap<usize, BytePos>,
    /// Functions and whatever else is an item.
    bodies: Vec<(BytePos, BytePos)>,
}

impl Targets<'_> {
    fn meet(&mut self, span: Span, id: HirId) {
        let span = span.source_callsite();
        let Some(&number) = self.starts.get(&span.lo().0) else { return };
        if self.is_looked_at(id) {
            let end = self.widest.entry(number).or_insert(span.hi());
            *end = span.hi().max(*end);
        }
    }

    fn meet_item(&mut self, span: Span, id: HirId) {
        self.meet(span, id);
        if !span.from_expansion() && self.is_looked_at(id) {
            self.bodies.push((span.lo(), span.hi()));
        }
    }

    fn is_looked_at(&self, id: HirId) -> bool {
        self.tests || !self.tcx.sess.is_test_crate() || !is_in_test(self.tcx, id)
    }
}

impl<'tcx> Visitor<'tcx> for Targets<'tcx> {
    type NestedFilter = nested_filter::All;

    fn maybe_tcx(&mut self) -> TyCtxt<'tcx> {
        self.tcx
    }

    fn visit_item(&mut self, item: &'tcx Item<'tcx>) {
        // A module is no place of its own: code that is left out may stand in it.
        if matches!(item.kind, rustc_hir::ItemKind::Fn { .. }) {
            self.meet_item(item.span, item.hir_id());
        } else {
            self.meet(item.span, item.hir_id());
        }
        intravisit::walk_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'tcx ImplItem<'tcx>) {
        self.meet_item(item.span, item.hir_id());
        intravisit::walk_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'tcx TraitItem<'tcx>) {
        self.meet_item(item.span, item.hir_id());
        intravisit::walk_trait_item(self, item);
    }

    fn visit_stmt(&mut self, statement: &'tcx Stmt<'tcx>) {
        self.meet(statement.span, statement.hir_id);
        intravisit::walk_stmt(self, statement);
    }

    fn visit_arm(&mut self, arm: &'tcx Arm<'tcx>) {
        self.meet(arm.span, arm.hir_id);
        intravisit::walk_arm(self, arm);
    }

    fn visit_expr(&mut self, expression: &'tcx Expr<'tcx>) {
        self.meet(expression.span, expression.hir_id);
        intravisit::walk_expr(self, expression);
    }
}

/// Attributes `allow` and `expect` of our lints on anything but the crate, where `allow` is a choice and accepts nothing in
/// particular: their places, by lint.
pub fn attributes(tcx: TyCtxt<'_>, lints: &[&'static Lint], tests: bool) -> Vec<(&'static Lint, Span)> {
    if !names_lints(tcx) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for owner in tcx.hir_crate_items(()).owners() {
        for (node, specs) in tcx.shallow_lint_levels_on(owner).specs.iter() {
            let id = HirId { owner, local_id: *node };
            if tcx.sess.is_test_crate() && !tests && is_in_test(tcx, id) {
                continue;
            }
            for lint in lints {
                let Some(spec) = specs.get(&LintId::of(lint)) else { continue };
                let accepts = spec.is_expect() || (spec.level() == Level::Allow && id != CRATE_HIR_ID);
                if let (true, LintLevelSource::Node { span, .. }) = (accepts, spec.src) {
                    found.push((*lint, span));
                }
            }
        }
    }
    found
}

/// Most code has never heard of us.
fn names_lints(tcx: TyCtxt<'_>) -> bool {
    let files = tcx.sess.source_map().files();
    let own = files.iter().filter(|file| file.cnum == LOCAL_CRATE);
    own.filter_map(|file| file.src.as_deref()).any(|text| NAMES.iter().any(|name| text.contains(name)))
}
