//! How strictly atomic operations are ordered, as far as it is written at the call.

use crate::mir::plain::Order;
use rustc_middle::mir::{self, AggregateKind, BasicBlockData, Operand, Rvalue, StatementKind};
use rustc_middle::ty::TyCtxt;
use rustc_span::sym;

/// The first of the orders that the call is given.
pub(super) fn order<'tcx>(
    tcx: TyCtxt<'tcx>,
    body: &mir::Body<'tcx>,
    data: &BasicBlockData<'tcx>,
    args: &[rustc_span::Spanned<Operand<'tcx>>],
) -> Option<Order> {
    let is_order = |operand: &&Operand<'tcx>| {
        let adt = operand.ty(&body.local_decls, tcx).ty_adt_def();
        adt.is_some_and(|adt| tcx.is_diagnostic_item(sym::Ordering, adt.did()))
    };
    let local = args.iter().map(|argument| &argument.node).find(is_order)?.place()?.as_local()?;
    data.statements.iter().rev().find_map(|statement| match &statement.kind {
        StatementKind::Assign(assignment) if assignment.0.as_local() == Some(local) => match &assignment.1 {
            Rvalue::Aggregate(kind, _) => match **kind {
                AggregateKind::Adt(id, variant, ..) => named(tcx.adt_def(id).variant(variant).name.as_str()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

fn named(name: &str) -> Option<Order> {
    match name {
        "Relaxed" => Some(Order::Relaxed),
        "Release" => Some(Order::Release),
        "Acquire" => Some(Order::Acquire),
        "AcqRel" => Some(Order::AcqRel),
        "SeqCst" => Some(Order::SeqCst),
        _ => None,
    }
}
