//! What code is meant to be: the marks that the attributes of `stalemate-attr` leave (attributes of a tool that rustc knows
//! and does not ask), and the rows of the settings that say the same of code that nobody may edit.

use crate::mir::plain::{Guards, Start, Way, WayMistake};
use crate::mir::{Reader, reach, ways};
use rustc_ast::token::TokenKind;
use rustc_ast::tokenstream::TokenTree;
use rustc_attr_ir::{AttrArgs, Attribute};
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, TyCtxt};
use rustc_span::{Span, Symbol, sym};
use std::rc::Rc;

/// All of it, for one crate.
#[derive(Default)]
pub(super) struct Declared {
    atomic: FxHashSet<LocalDefId>,
    requires: FxHashMap<LocalDefId, Rc<[Way]>>,
    guards: Rc<Guards>,
    /// The names of the fields that have guards.
    guarded: Vec<Symbol>,
    /// Marks that lead to no lock, and why.
    mistakes: Vec<(Span, WayMistake)>,
}

impl Declared {
    pub(super) fn of(reader: &Reader<'_, '_>, functions: &[LocalDefId]) -> Declared {
        let mut declared = Declared::default();
        let mut guards = Guards::default();
        declared.read_rows(reader, &mut guards);
        if uses_marks(reader.tcx) {
            declared.read_marks(reader, functions, &mut guards);
        }
        declared.guards = Rc::new(guards);
        declared
    }

    fn read_rows(&mut self, reader: &Reader<'_, '_>, guards: &mut Guards) {
        let rows = reader.resolved.declared();
        self.atomic.extend(rows.atomic.iter().filter_map(|id| id.as_local()));
        for row in &rows.requires {
            let Some(function) = row.of.as_local() else { continue };
            match required(reader, function, &row.lock) {
                Ok(way) => self.add_required(function, way),
                Err(_) => reader.resolved.leads_nowhere(&row.path),
            }
        }
        for row in &rows.guards {
            let field = row.path.rsplit("::").next().unwrap_or_default();
            match guarded(reader, row.of, field, &row.lock) {
                Ok(guard) => self.add_guard(reader, row.of, field, guard, guards),
                Err(_) => reader.resolved.leads_nowhere(&row.path),
            }
        }
    }

    fn read_marks(&mut self, reader: &Reader<'_, '_>, functions: &[LocalDefId], guards: &mut Guards) {
        let tcx = reader.tcx;
        for &function in functions.iter().filter(|&&owner| tcx.typeck_root_def_id_local(owner) == owner) {
            if find(tcx, function, "stalemate_atomic").is_some() {
                self.atomic.insert(function);
            }
            for mark in find_all(tcx, function, "stalemate_requires") {
                for (text, at) in texts(mark) {
                    match required(reader, function, &text) {
                        Ok(way) => self.add_required(function, way),
                        Err(mistake) => self.mistakes.push((at, mistake)),
                    }
                }
            }
        }
        for owner in tcx.hir_crate_items(()).definitions().filter(|&id| tcx.def_kind(id) == DefKind::Struct) {
            for field in &tcx.adt_def(owner).non_enum_variant().fields {
                let marks = field.did.as_local().map(|field| tcx.hir_attrs(tcx.local_def_id_to_hir_id(field)));
                let named = Symbol::intern("guarded_by");
                for mark in marks.into_iter().flatten().filter(|mark| mark.has_name(named)) {
                    for (text, at) in texts(mark) {
                        match guarded(reader, owner.to_def_id(), field.name.as_str(), &text) {
                            Ok(guard) => self.add_guard(reader, owner.to_def_id(), field.name.as_str(), guard, guards),
                            Err(mistake) => self.mistakes.push((at, mistake)),
                        }
                    }
                }
            }
        }
    }

    fn add_required(&mut self, function: LocalDefId, way: Way) {
        let known = self.requires.entry(function).or_default();
        *known = known.iter().cloned().chain([way]).collect();
    }

    fn add_guard(
        &mut self,
        reader: &Reader<'_, '_>,
        owner: DefId,
        field: &str,
        (index, way): (u32, Way),
        to: &mut Guards,
    ) {
        to.insert((reader.definition(owner), index), way);
        self.guarded.push(Symbol::intern(field));
    }

    /// The body of an `async fn` is what its mark is about.
    pub(super) fn is_atomic(&self, tcx: TyCtxt<'_>, owner: LocalDefId) -> bool {
        !self.atomic.is_empty() && reach::coded_by(tcx, owner).is_some_and(|function| self.atomic.contains(&function))
    }

    pub(super) fn required(&self, function: LocalDefId) -> Rc<[Way]> {
        self.requires.get(&function).cloned().unwrap_or_default()
    }

    pub(super) fn guards(&self) -> Rc<Guards> {
        self.guards.clone()
    }

    /// Functions that say something of themselves.
    pub(super) fn functions(&self) -> impl Iterator<Item = LocalDefId> {
        self.atomic.iter().chain(self.requires.keys()).copied()
    }

    /// Functions whose callers have to hold something.
    pub(super) fn requiring(&self) -> impl Iterator<Item = LocalDefId> {
        self.requires.keys().copied()
    }

    pub(super) fn mistakes(&self) -> &[(Span, WayMistake)] {
        &self.mistakes
    }

    pub(super) fn guarded_names(&self) -> &[Symbol] {
        &self.guarded
    }
}

fn uses_marks(tcx: TyCtxt<'_>) -> bool {
    tcx.crates(()).iter().any(|&other| tcx.crate_name(other).as_str() == "stalemate_attr")
}

/// The functions that have such a mark, and where their names stand.
pub fn benign_functions(tcx: TyCtxt<'_>) -> Vec<(LocalDefId, Span)> {
    if !uses_marks(tcx) {
        return Vec::new();
    }
    let marked = reach::functions(tcx).into_iter().filter(|&function| benign(tcx, function).is_some());
    marked.filter_map(|function| Some((function, tcx.def_ident_span(function)?))).collect()
}

/// `#[benign(reason = "..")]`: why what is found in the function does no harm.
pub(super) fn benign(tcx: TyCtxt<'_>, function: LocalDefId) -> Option<String> {
    let items = find(tcx, function, "stalemate_benign")?.meta_item_list()?;
    let reason = items.iter().find(|item| item.has_name(sym::reason))?.value_str()?;
    Some(reason.to_string())
}

fn find<'tcx>(tcx: TyCtxt<'tcx>, owner: LocalDefId, mark: &str) -> Option<&'tcx Attribute> {
    find_all(tcx, owner, mark).next()
}

fn find_all<'tcx>(tcx: TyCtxt<'tcx>, owner: LocalDefId, mark: &str) -> impl Iterator<Item = &'tcx Attribute> {
    let path = [Symbol::intern("rust_analyzer"), Symbol::intern(mark)];
    tcx.hir_attrs(tcx.local_def_id_to_hir_id(owner)).iter().filter(move |attribute| attribute.path_matches(&path))
}

/// What stands between the brackets, at the commas.
fn texts(mark: &Attribute) -> Vec<(String, Span)> {
    let AttrArgs::Delimited(arguments) = &mark.get_normal_item().args else { return Vec::new() };
    let mut all: Vec<(String, Span)> = Vec::new();
    let mut follows = true;
    for token in arguments.tokens.iter() {
        let TokenTree::Token(token, _) = token else { continue };
        let text = match token.kind {
            TokenKind::Comma => {
                follows = true;
                continue;
            }
            TokenKind::Dot => ".".to_owned(),
            TokenKind::PathSep => "::".to_owned(),
            _ => token.ident().map(|(name, _)| name.name.to_string()).unwrap_or_default(),
        };
        match all.last_mut().filter(|_| !follows) {
            Some((before, at)) => {
                before.push_str(&text);
                *at = at.to(token.span);
            }
            None => all.push((text, token.span)),
        }
        follows = false;
    }
    all
}

/// The way to a lock that the caller holds: from a parameter, or a static.
fn required(reader: &Reader<'_, '_>, function: LocalDefId, text: &str) -> Result<Way, WayMistake> {
    let tcx = reader.tcx;
    if let Some(way) = ways::to_static(reader, function.to_def_id(), text)? {
        return Ok(way);
    }
    let mut names = text.split('.');
    let first = names.next().unwrap_or_default();
    let idents = tcx.fn_arg_idents(function);
    let is_first = |ident: &Option<rustc_span::Ident>| ident.is_some_and(|ident| ident.name.as_str() == first);
    let number = idents.iter().position(is_first).ok_or_else(|| WayMistake::Parameter(first.to_owned()))?;
    let sig = tcx.fn_sig(function).instantiate_identity().skip_norm_wip().skip_binder();
    let ty = sig.inputs().get(number).copied().ok_or_else(|| WayMistake::Parameter(first.to_owned()))?;
    let local = u32::try_from(number + 1).unwrap_or_default();
    ways::from(reader, Start::Parameter(local), ty, names)
}

/// The number of the field, and the way from its struct to the lock.
fn guarded(reader: &Reader<'_, '_>, owner: DefId, field: &str, text: &str) -> Result<(u32, Way), WayMistake> {
    let tcx = reader.tcx;
    let adt = tcx.adt_def(owner);
    let fields = adt.is_struct().then(|| &adt.non_enum_variant().fields);
    let mut numbered = fields.into_iter().flat_map(|fields| fields.iter_enumerated());
    let index = numbered.find(|(_, known)| known.name.as_str() == field).map(|(index, _)| index.as_u32());
    let no_field = || WayMistake::Field { name: field.to_owned(), of: tcx.item_name(owner).to_string() };
    let index = index.ok_or_else(no_field)?;
    if let Some(way) = ways::to_static(reader, owner, text)? {
        return Ok((index, way));
    }
    let ty: ty::Ty<'_> = tcx.type_of(owner).instantiate_identity().skip_norm_wip();
    let names = text.split('.').skip_while(|name| *name == "self");
    Ok((index, ways::from(reader, Start::Object, ty, names)?))
}
