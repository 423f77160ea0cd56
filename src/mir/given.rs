//! What a body is given, and what that says of who else may have it.

use crate::mir::DefinitionId;
use crate::mir::names::is_std_type;
use crate::mir::plain::Local;
use crate::mir::read::{BodyReader, local};
use rustc_hir::Node;
use rustc_hir::def::DefKind;
use rustc_hir::def_id::DefId;
use rustc_middle::mir;
use rustc_middle::ty;

impl<'tcx> BodyReader<'_, 'tcx> {
    pub(super) fn is_unsafe(&self) -> bool {
        let tcx = self.reader.tcx;
        let owner = tcx.typeck_root_def_id_local(self.owner);
        matches!(tcx.def_kind(owner), DefKind::Fn | DefKind::AssocFn)
            && tcx.fn_sig(owner).skip_binder().safety().is_unsafe()
    }

    pub(super) fn unshareable(&self) -> Vec<Local> {
        let alone = |ty: ty::Ty<'tcx>| self.reader.sharing.is_unshareable(ty.peel_refs());
        let parameters = self.body.args_iter().filter(|&local| alone(self.body.local_decls[local].ty));
        parameters.map(local).collect()
    }

    /// The lock that `thread_local!` keeps for the thread that runs this closure: what `LocalKey::with` gives. One behind an `Arc` may be
    /// elsewhere, too.
    pub(super) fn of_thread(&self) -> Option<Local> {
        let tcx = self.reader.tcx;
        if !tcx.is_closure_like(self.owner.to_def_id()) || self.body.arg_count != 2 {
            return None;
        }
        let given = self.body.args_iter().nth(1)?;
        let is_lock = |adt: ty::AdtDef<'tcx>| self.reader.resolved.lock_kind(adt.did()).is_some();
        let ty = self.body.local_decls[given].ty.peel_refs();
        (ty.ty_adt_def().is_some_and(is_lock) && self.is_run_by_local_key()).then(|| local(given))
    }

    fn is_run_by_local_key(&self) -> bool {
        let tcx = self.reader.tcx;
        let Node::Expr(call) = tcx.parent_hir_node(tcx.local_def_id_to_hir_id(self.owner)) else { return false };
        let method = tcx.typeck(call.hir_id.owner.def_id).type_dependent_def_id(call.hir_id);
        let container = method.and_then(|method| tcx.inherent_impl_of_assoc(method));
        let of = container.and_then(|of| tcx.type_of(of).instantiate_identity().skip_norm_wip().ty_adt_def());
        of.is_some_and(|of| is_std_type(tcx, of.did(), "LocalKey"))
    }

    /// Beside the object, it is given a guard, or something of no size that lives only as long as something else allows.
    pub(super) fn has_token(&self) -> bool {
        let mut others = self.body.args_iter().skip(1).map(|local| self.body.local_decls[local].ty.peel_refs());
        others.any(|ty| {
            let facts = self.reader.types.facts(ty);
            facts.holds_guard || (facts.borrows && ty.is_adt() && self.has_no_size(ty))
        })
    }

    fn has_no_size(&self, ty: ty::Ty<'tcx>) -> bool {
        let tcx = self.reader.tcx;
        let layout = tcx.layout_of(self.body.typing_env(tcx).as_query_input(ty));
        layout.is_ok_and(|layout| layout.is_zst())
    }

    /// The type whose object the body has to itself, as `&mut self` or `self`. Of types that can be cloned there may be many that lead
    /// to one lock.
    pub(super) fn driven_by(&self) -> Option<DefinitionId> {
        let own = self.own_object()?;
        let of = if let ty::Ref(_, to, ty::Mutability::Mut) = own.kind() { *to } else { own };
        let id = of.ty_adt_def()?.did();
        (id.is_local() && !self.reader.is_cloned(id)).then(|| self.reader.definition(id))
    }

    /// It is the `drop` of a type that can be cloned, and that thus has many objects that lead to one thing.
    pub(super) fn drops_clone(&self) -> bool {
        let tcx = self.reader.tcx;
        let method = tcx.opt_associated_item(self.owner.to_def_id());
        let of = method.and_then(|method| method.trait_item_def_id()).and_then(|method| tcx.trait_of_assoc(method));
        let drops = of.is_some() && of == tcx.lang_items().drop_trait();
        let object = self.body.args_iter().next().map(|local| self.body.local_decls[local].ty.peel_refs());
        let adt = object.filter(|_| drops).and_then(|ty| ty.ty_adt_def());
        adt.is_some_and(|adt| self.reader.is_cloned(adt.did()))
    }

    /// It is no `async` body, and polls something.
    pub(super) fn polls(&self) -> bool {
        let polls = self.reader.tcx.lang_items().future_poll_fn();
        self.coroutine.is_none() && self.called().any(|id| Some(id) == polls)
    }

    fn called(&self) -> impl Iterator<Item = DefId> {
        self.body.basic_blocks.iter().filter_map(|block| match &block.terminator().kind {
            mir::TerminatorKind::Call { func, .. } => func.const_fn_def().map(|(id, _)| id),
            _ => None,
        })
    }

    /// By whatever name it goes where threads are simulated.
    pub(super) fn fences(&self) -> bool {
        self.called().any(|id| self.reader.tcx.opt_item_name(id).is_some_and(|name| name.as_str() == "fence"))
    }

    /// What goes by the name `self`: of a method, or captured.
    fn own_object(&self) -> Option<ty::Ty<'tcx>> {
        let tcx = self.reader.tcx;
        let owner = self.owner.to_def_id();
        if !tcx.is_closure_like(owner) {
            let is_method = tcx.opt_associated_item(owner).is_some_and(|item| item.is_method());
            return is_method.then(|| self.body.local_decls[mir::Local::from_usize(1)].ty);
        }
        let names = tcx.closure_saved_names_of_captured_variables(owner);
        let at = names.iter().position(|name| matches!(name.as_str(), "self" | "__self"))?;
        let ty = tcx.type_of(owner).instantiate_identity().skip_norm_wip();
        match ty.kind() {
            ty::Coroutine(_, args) => args.as_coroutine().upvar_tys().get(at).copied(),
            ty::Closure(_, args) => args.as_closure().upvar_tys().get(at).copied(),
            _ => None,
        }
    }

    pub(super) fn exclusive_types(&self) -> Vec<DefinitionId> {
        let parameters = self.body.args_iter().map(|local| self.body.local_decls[local].ty);
        let given = parameters.flat_map(|ty| match ty.peel_refs().kind() {
            ty::Coroutine(_, args) => args.as_coroutine().upvar_tys().to_vec(),
            ty::Adt(adt, args) if adt.is_pin() => match args.type_at(0).peel_refs().kind() {
                ty::Coroutine(_, args) => args.as_coroutine().upvar_tys().to_vec(),
                _ => vec![ty],
            },
            _ => vec![ty],
        });
        given
            .filter_map(
                |ty| if let ty::Ref(_, to, ty::Mutability::Mut) = ty.kind() { self.own_type(*to) } else { None },
            )
            .collect()
    }
}
