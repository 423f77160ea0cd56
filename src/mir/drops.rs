//! The code that runs when something is dropped: its own `drop`, and that of what it owns.
//!
//! Only functions that come near a lock count; the others change nothing that is asked about here.

use crate::mir::plain::{Destructor, PlaceStep};
use crate::mir::read::BodyReader;
use crate::mir::{DefinitionId, Reader, places};
use crate::models::Beyond;
use rustc_middle::mir;
use rustc_middle::ty::{self, Ty};
use rustc_span::{Symbol, sym};
use std::rc::Rc;

/// How deep things in things are looked for.
const DEPTH: usize = 6;

/// A type with more of them keeps the first ones.
const MOST: usize = 4;

/// Containers that own what is in them.
const CONTAINERS: [&str; 7] = ["Vec", "VecDeque", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "BinaryHeap"];

impl<'tcx> BodyReader<'_, 'tcx> {
    /// Those that may run in this body: of the object that it works on, or that this has a handle of, no other handle is the last.
    pub(super) fn destructors(&self, ty: Ty<'tcx>) -> Rc<[Destructor]> {
        let all = self.all_destructors(ty);
        if all.iter().all(|one| one.handle_of.is_none()) {
            return all;
        }
        let kept = self.kept_by_caller();
        let may_run = |one: &&Destructor| one.handle_of.is_none_or(|of| !kept.contains(&of));
        all.iter().filter(may_run).cloned().collect()
    }

    /// The types of the object that the body works on, and of what that has handles of. What is given beside it may be another thing
    /// of its type than the one that is dropped.
    fn kept_by_caller(&self) -> Vec<DefinitionId> {
        let tcx = self.reader.tcx;
        let parameters =
            self.body.args_iter().take(1).map(|local| self.body.local_decls[local].ty).filter(|ty| ty.is_ref());
        let mut kept = Vec::new();
        for ty in parameters.map(|ty| self.behind_handle(ty.peel_refs()).unwrap_or(ty.peel_refs())) {
            let ty::Adt(adt, args) = ty.kind() else { continue };
            kept.push(self.reader.definition(adt.did()));
            let fields = adt.all_fields().map(|field| tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip());
            let behind = fields.filter_map(|field| self.behind_handle(field)?.ty_adt_def());
            kept.extend(behind.map(|adt| self.reader.definition(adt.did())));
        }
        kept
    }

    fn all_destructors(&self, ty: Ty<'tcx>) -> Rc<[Destructor]> {
        if let Some(known) = self.reader.destructors.borrow().get(&ty) {
            return known.clone();
        }
        let mut search = Search { reader: self.reader, steps: Vec::new(), handle_of: None, found: Vec::new() };
        if self.reader.near.borrow().is_some() && ty.needs_drop(self.reader.tcx, self.body.typing_env(self.reader.tcx))
        {
            search.look_into(ty, DEPTH);
        }
        let found: Rc<[Destructor]> = search.found.into();
        self.reader.destructors.borrow_mut().insert(ty, found.clone());
        found
    }

    /// What is dropped in the call, or handed on to another thread, as far as it has something to do when it is dropped.
    pub(super) fn sent(
        &self,
        func: &mir::Operand<'tcx>,
        args: &[rustc_span::Spanned<mir::Operand<'tcx>>],
    ) -> Vec<(usize, Rc<[Destructor]>)> {
        let tcx = self.reader.tcx;
        let kind = func.ty(&self.body.local_decls, tcx).kind();
        let drops = matches!(kind, ty::FnDef(id, _) if tcx.is_diagnostic_item(sym::mem_drop, *id));
        if !drops && self.beyond(func) != Some(Beyond::Sends) {
            return Vec::new();
        }
        let ty = |argument: &mir::Operand<'tcx>| argument.ty(&self.body.local_decls, tcx);
        let all = args.iter().enumerate().map(|(at, argument)| (at, self.destructors(ty(&argument.node))));
        all.filter(|(_, by)| !by.is_empty()).collect()
    }
}

struct Search<'r, 'a, 'tcx> {
    reader: &'r Reader<'a, 'tcx>,
    steps: Vec<PlaceStep>,
    /// What the handle is of that was come through.
    handle_of: Option<DefinitionId>,
    found: Vec<Destructor>,
}

impl<'tcx> Search<'_, '_, 'tcx> {
    fn look_into(&mut self, ty: Ty<'tcx>, depth: usize) {
        if depth == 0 || self.found.len() == MOST {
            return;
        }
        let tcx = self.reader.tcx;
        match ty.kind() {
            ty::Adt(adt, _) if adt.is_manually_drop() || adt.is_phantom_data() => {}
            ty::Adt(adt, args) if adt.is_box() => self.behind(false, args.type_at(0), depth),
            ty::Adt(adt, args) => {
                let is = |name| tcx.is_diagnostic_item(name, adt.did());
                if is_handle(self.reader, *adt) {
                    self.behind(true, args.type_at(0), depth);
                } else if adt.did().is_local() || is(sym::Option) || is(sym::Result) {
                    self.of_own(ty, *adt, args, depth);
                } else if CONTAINERS.into_iter().any(|name| is(Symbol::intern(name))) {
                    args.types().for_each(|part| self.below(PlaceStep::Element, part, depth));
                }
            }
            ty::Tuple(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let index = u32::try_from(index).unwrap_or_default();
                    self.below(PlaceStep::Field(places::field(self.reader, ty, 0, index)), part, depth);
                }
            }
            ty::Array(element, _) | ty::Slice(element) => self.below(PlaceStep::Element, *element, depth),
            // What is behind a reference is not dropped with it; closures, futures and trait objects are not followed.
            _ => {}
        }
    }

    fn of_own(&mut self, ty: Ty<'tcx>, adt: ty::AdtDef<'tcx>, args: ty::GenericArgsRef<'tcx>, depth: usize) {
        let tcx = self.reader.tcx;
        let own = adt.destructor(tcx).and_then(|found| found.did.as_local());
        if let Some(own) = own.filter(|own| self.reader.near.borrow().as_ref().is_some_and(|near| near.contains(own))) {
            let body = self.reader.definition(own.to_def_id());
            self.found.push(Destructor { body, steps: self.steps.clone().into(), handle_of: self.handle_of });
        }
        for (variant, fields) in adt.variants().iter_enumerated() {
            for (index, field) in fields.fields.iter_enumerated() {
                let part = tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip();
                let step = PlaceStep::Field(places::field(self.reader, ty, variant.as_u32(), index.as_u32()));
                self.below(step, part, depth);
            }
        }
    }

    /// That one handle is the last of its thing happens; that what is dropped with it is the last handle of another thing, too,
    /// is not to be expected: who calls mostly has one himself.
    fn behind(&mut self, shared: bool, ty: Ty<'tcx>, depth: usize) {
        if !shared {
            self.below(PlaceStep::Deref { shared }, ty, depth);
        } else if !self.steps.contains(&PlaceStep::Deref { shared }) {
            self.handle_of = ty.ty_adt_def().map(|adt| self.reader.definition(adt.did()));
            self.below(PlaceStep::Deref { shared }, ty, depth);
            self.handle_of = None;
        }
    }

    fn below(&mut self, step: PlaceStep, ty: Ty<'tcx>, depth: usize) {
        self.steps.push(step);
        self.look_into(ty, depth - 1);
        self.steps.pop();
    }
}

fn is_handle(reader: &Reader<'_, '_>, adt: ty::AdtDef<'_>) -> bool {
    [sym::Arc, sym::Rc].into_iter().any(|name| reader.tcx.is_diagnostic_item(name, adt.did()))
}
