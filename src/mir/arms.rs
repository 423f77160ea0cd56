//! Which way from a branch is taken if what was asked for is not there: the `None` of an `Option`, the `false` of
//! `contains_key`, the vacant entry. Who goes that way does not rely on it being there.

use crate::mir::names::is_std_type;
use rustc_data_structures::fx::FxHashMap;
use rustc_middle::mir::{self, BasicBlock, Local, TerminatorKind};
use rustc_middle::ty::{self, TyCtxt};
use rustc_span::{Span, Symbol, sym};

/// So many blocks make the message of a panic.
const LONGEST_MESSAGE: usize = 16;

/// The variant of `Result` that stands for an error.
const ERR: u128 = 1;

/// What a variable that a branch can fork on says.
pub(super) struct Answers<'r, 'tcx> {
    tcx: TyCtxt<'tcx>,
    body: &'r mir::Body<'tcx>,
    /// The number that stands for "not there".
    gone: FxHashMap<Local, u128>,
}

impl<'r, 'tcx> Answers<'r, 'tcx> {
    pub(super) fn of(tcx: TyCtxt<'tcx>, body: &'r mir::Body<'tcx>) -> Answers<'r, 'tcx> {
        let mut gone = FxHashMap::default();
        for data in body.basic_blocks.iter() {
            for statement in &data.statements {
                if let mir::StatementKind::Assign(assignment) = &statement.kind
                    && let (to, mir::Rvalue::Discriminant(of)) = &**assignment
                    && let (Some(to), ty::Adt(adt, _)) = (to.as_local(), of.ty(&body.local_decls, tcx).ty.kind())
                    && let Some(nothing) = nothing(tcx, *adt)
                {
                    gone.insert(to, nothing);
                }
            }
            if let TerminatorKind::Call { func, destination, .. } = &data.terminator().kind
                && let (Some(to), Some((callee, _))) = (destination.as_local(), func.const_fn_def())
                && let Some(answer) = tcx.opt_item_name(callee).and_then(|name| absent(name.as_str()))
            {
                gone.insert(to, answer);
            }
        }
        Answers { tcx, body, gone }
    }

    /// The block that is gone to if it is not there; `None` if another answer leads there too. What is asserted while
    /// debugging alone is no question: it shows what holds anyway.
    pub(super) fn way_if_gone(&self, data: &mir::BasicBlockData<'_>) -> Option<BasicBlock> {
        let TerminatorKind::SwitchInt { discr, targets } = &data.terminator().kind else { return None };
        if self.is_for_debugging(targets) {
            return None;
        }
        let asked = discr.place()?.as_local()?;
        let (asked, turned) = negated(data, asked).map_or((asked, false), |asked| (asked, true));
        let gone = *self.gone.get(&asked)?;
        let gone = if turned { 1 - gone } else { gone };
        let way = targets.target_for_value(gone);
        let others = targets.iter().filter(|(value, _)| *value != gone).map(|(_, target)| target);
        let rest = targets.iter().any(|(value, _)| value == gone).then(|| targets.otherwise());
        (!others.chain(rest).any(|other| other == way)).then_some(way)
    }

    pub(super) fn asks_for_debugging(&self, data: &mir::BasicBlockData<'_>) -> bool {
        match &data.terminator().kind {
            TerminatorKind::SwitchInt { targets, .. } => self.is_for_debugging(targets),
            _ => false,
        }
    }

    /// Some way leads to the panic of a `debug_assert!`.
    fn is_for_debugging(&self, targets: &mir::SwitchTargets) -> bool {
        let item = Symbol::intern("debug_assert_macro");
        let is_it = |id| self.tcx.is_diagnostic_item(item, id);
        let panics = targets.all_targets().iter().filter_map(|&target| self.panic_after(target));
        panics.into_iter().any(|span| span.macro_backtrace().any(|step| step.macro_def_id.is_some_and(is_it)))
    }

    /// Where the way from the block ends, if it does not fork before, and never returns.
    fn panic_after(&self, block: BasicBlock) -> Option<Span> {
        let mut block = block;
        for _ in 0..LONGEST_MESSAGE {
            let terminator = self.body.basic_blocks[block].terminator();
            block = match &terminator.kind {
                TerminatorKind::Call { target: None, .. } => return Some(terminator.source_info.span),
                TerminatorKind::Call { target: Some(next), .. }
                | TerminatorKind::Drop { target: next, .. }
                | TerminatorKind::Goto { target: next } => *next,
                _ => return None,
            };
        }
        None
    }
}

/// The ways from a branch on which of several variants a variable is, to those that have no room for a guard, with the
/// variable: whatever guard came that far with it is gone there. `map_err` drops the one in a poison error.
pub(super) fn ways_without<'tcx>(
    tcx: TyCtxt<'tcx>,
    body: &mir::Body<'tcx>,
    data: &mir::BasicBlockData<'tcx>,
    holds_guard: impl Fn(ty::Ty<'tcx>) -> bool,
) -> Vec<(BasicBlock, mir::Place<'tcx>)> {
    let TerminatorKind::SwitchInt { discr, targets } = &data.terminator().kind else { return Vec::new() };
    let Some(of) = discr.place().and_then(|place| asked_for_variant(data, place.as_local()?)) else {
        return Vec::new();
    };
    let ty = of.ty(&body.local_decls, tcx).ty;
    let ty::Adt(adt, args) = ty.kind() else { return Vec::new() };
    if !adt.is_enum() || !holds_guard(ty) {
        return Vec::new();
    }
    let field_holds = |field: &ty::FieldDef| holds_guard(tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip());
    let mut with_room = Vec::new();
    for (number, value) in adt.discriminants(tcx) {
        if adt.variant(number).fields.iter().any(field_holds) {
            with_room.push(targets.target_for_value(value.val));
        }
    }
    let mut ways: Vec<BasicBlock> = targets.all_targets().to_vec();
    ways.sort_unstable();
    ways.dedup();
    ways.into_iter().filter(|way| !with_room.contains(way)).map(|way| (way, of)).collect()
}

/// The way from a branch on what `lock` gave where a guard comes in a poison error.
pub(super) fn way_if_poisoned<'tcx>(
    tcx: TyCtxt<'tcx>,
    body: &mir::Body<'tcx>,
    data: &mir::BasicBlockData<'tcx>,
) -> Option<BasicBlock> {
    let TerminatorKind::SwitchInt { discr, targets } = &data.terminator().kind else { return None };
    let of = asked_for_variant(data, discr.place()?.as_local()?)?;
    let ty::Adt(result, args) = of.ty(&body.local_decls, tcx).ty.kind() else { return None };
    let error = tcx.is_diagnostic_item(sym::Result, result.did()).then(|| args.type_at(1).ty_adt_def())??;
    is_std_type(tcx, error.did(), "PoisonError").then(|| targets.target_for_value(ERR))
}

/// The place whose variant was put into a variable, in the same block.
fn asked_for_variant<'tcx>(data: &mir::BasicBlockData<'tcx>, asked: Local) -> Option<mir::Place<'tcx>> {
    data.statements.iter().rev().find_map(|statement| match &statement.kind {
        mir::StatementKind::Assign(assignment) if assignment.0.as_local() == Some(asked) => match &assignment.1 {
            mir::Rvalue::Discriminant(of) => Some(*of),
            _ => None,
        },
        _ => None,
    })
}

/// The variant that stands for nothing: `None` of an `Option`, `Vacant` of the entries of maps.
fn nothing<'tcx>(tcx: TyCtxt<'tcx>, adt: ty::AdtDef<'tcx>) -> Option<u128> {
    if tcx.is_diagnostic_item(sym::Option, adt.did()) {
        return Some(0);
    }
    let is_entry = adt.is_enum() && adt.variants().len() == 2;
    let vacant = || adt.variants().iter_enumerated().find(|(_, variant)| variant.name.as_str() == "Vacant");
    let (number, _) = is_entry.then(vacant)??;
    Some(adt.discriminant_for_variant(tcx, number).val)
}

/// `!asked`, in the same block.
fn negated(data: &mir::BasicBlockData<'_>, asked: Local) -> Option<Local> {
    data.statements.iter().rev().find_map(|statement| match &statement.kind {
        mir::StatementKind::Assign(assignment) if assignment.0.as_local() == Some(asked) => match &assignment.1 {
            mir::Rvalue::UnaryOp(mir::UnOp::Not, of) => of.place()?.as_local(),
            _ => None,
        },
        _ => None,
    })
}

/// What functions of these names return if it is not there, by a habit that all of Rust keeps.
fn absent(name: &str) -> Option<u128> {
    match name {
        "is_some" | "contains_key" | "contains" => Some(0),
        "is_none" | "is_empty" => Some(1),
        _ => None,
    }
}
