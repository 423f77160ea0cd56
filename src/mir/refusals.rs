//! Where a function turns its caller away: it makes the error that it returns, or says `false`.

use crate::mir::plain::Refusal;
use rustc_attr_ir::LangItem;
use rustc_middle::mir::{self, AggregateKind, Operand, Rvalue, StatementKind};
use rustc_middle::ty::{self, Ty, TyCtxt};
use rustc_span::sym;

/// The variant of `Result` that stands for an error.
const ERR: u32 = 1;

pub(super) struct Refusals<'tcx> {
    tcx: TyCtxt<'tcx>,
    result: Ty<'tcx>,
}

impl<'tcx> Refusals<'tcx> {
    /// An `async` body says in a `Poll` what it returns.
    pub(super) fn of(tcx: TyCtxt<'tcx>, body: &mir::Body<'tcx>) -> Refusals<'tcx> {
        let result = match body.return_ty().kind() {
            ty::Adt(adt, args) if tcx.is_lang_item(adt.did(), LangItem::Poll) => args.type_at(0),
            _ => body.return_ty(),
        };
        Refusals { tcx, result }
    }

    pub(super) fn in_block(&self, body: &mir::Body<'tcx>, data: &mir::BasicBlockData<'tcx>) -> Option<Refusal> {
        let refusals = data.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Assign(assignment) => self.by(body, assignment.0, &assignment.1),
            _ => None,
        });
        refusals.max()
    }

    fn by(&self, body: &mir::Body<'tcx>, to: mir::Place<'tcx>, value: &Rvalue<'tcx>) -> Option<Refusal> {
        let is_result = || to.ty(&body.local_decls, self.tcx).ty == self.result;
        match value {
            Rvalue::Aggregate(kind, _) => {
                let AggregateKind::Adt(id, variant, ..) = **kind else { return None };
                let is_error = variant.as_u32() == ERR && self.tcx.is_diagnostic_item(sym::Result, id);
                (is_error && is_result()).then_some(Refusal::Error)
            }
            Rvalue::Use(Operand::Constant(constant), _) => {
                let is_answer = self.result.is_bool() && to.as_local() == Some(mir::RETURN_PLACE);
                (is_answer && constant.const_.try_to_bool() == Some(false)).then_some(Refusal::No)
            }
            _ => None,
        }
    }
}
