//! What a statement reads and writes behind pointers, for the bodies that come near state that no lock is tied to.
//!
//! A reference that is made from a raw pointer counts as what it is good for: `&mut *p` writes, `&*p` reads. Who makes one of
//! something that takes care of itself (an atomic, a lock) does neither.

use crate::mir::plain::{Identity, PlaceStep, Touch};
use crate::mir::read::BodyReader;
use rustc_middle::mir::{self, ProjectionElem, Rvalue};
use rustc_middle::ty;

/// More bytes than this are read and written in several steps.
const WORD: u64 = 8;

/// Those of an assignment: first what is read, then what is written.
pub(super) fn of_assignment<'tcx>(
    reader: &BodyReader<'_, 'tcx>,
    to: mir::Place<'tcx>,
    value: &Rvalue<'tcx>,
) -> Vec<Touch> {
    let mut all = Vec::new();
    match value {
        Rvalue::Use(operand, _)
        | Rvalue::WrapUnsafeBinder(operand, _)
        | Rvalue::Repeat(operand, _)
        | Rvalue::Cast(_, operand, _)
        | Rvalue::UnaryOp(_, operand) => all.extend(read(reader, operand)),
        Rvalue::BinaryOp(_, operands) => {
            all.extend(read(reader, &operands.0).into_iter().chain(read(reader, &operands.1)));
        }
        Rvalue::Aggregate(_, parts) => all.extend(parts.iter().filter_map(|part| read(reader, part))),
        Rvalue::CopyForDeref(place) | Rvalue::Discriminant(place) => all.extend(behind_pointer(reader, *place, false)),
        Rvalue::Ref(_, kind, place) => {
            let writes = matches!(kind, mir::BorrowKind::Mut { .. });
            all.extend(through_raw_pointer(reader, *place, writes));
        }
        Rvalue::RawPtr(..) | Rvalue::Reborrow(..) | Rvalue::ThreadLocalRef(_) => {}
    }
    all.extend(behind_pointer(reader, to, true));
    all
}

/// What a call reads or writes that is known for it.
pub(super) fn of_call<'tcx>(
    reader: &BodyReader<'_, 'tcx>,
    func: &mir::Operand<'tcx>,
    args: &[rustc_span::Spanned<mir::Operand<'tcx>>],
    to: mir::Place<'tcx>,
) -> Vec<Touch> {
    let mut all: Vec<Touch> = args.iter().filter_map(|argument| read(reader, &argument.node)).collect();
    let tcx = reader.reader.tcx;
    let callee = match func.ty(&reader.body.local_decls, tcx).kind() {
        ty::FnDef(id, _) => reader.reader.resolved.touches(*id),
        _ => &[],
    };
    for row in callee {
        let Some(place) = args.get(row.argument).and_then(|argument| argument.node.place()) else { continue };
        let pointee = place.ty(&reader.body.local_decls, tcx).ty.builtin_deref(true);
        let mut place = reader.place(place);
        place.steps = place.steps.iter().cloned().chain([PlaceStep::Deref { shared: true }]).collect();
        all.push(Touch { place, write: row.writes, wide: pointee.is_some_and(|ty| is_wide(reader, ty)) });
    }
    all.extend(behind_pointer(reader, to, true));
    all
}

fn read<'tcx>(reader: &BodyReader<'_, 'tcx>, operand: &mir::Operand<'tcx>) -> Option<Touch> {
    behind_pointer(reader, operand.place()?, false)
}

/// A variable of the body's own is nobody else's business.
fn behind_pointer<'tcx>(reader: &BodyReader<'_, 'tcx>, place: mir::Place<'tcx>, write: bool) -> Option<Touch> {
    place.is_indirect().then(|| touch(reader, place, write))
}

fn through_raw_pointer<'tcx>(reader: &BodyReader<'_, 'tcx>, place: mir::Place<'tcx>, write: bool) -> Option<Touch> {
    let tcx = reader.reader.tcx;
    let decls = &reader.body.local_decls;
    let raw = place
        .iter_projections()
        .any(|(base, element)| matches!(element, ProjectionElem::Deref) && base.ty(decls, tcx).ty.is_raw_ptr());
    let facts = reader.reader.types.facts(place.ty(decls, tcx).ty);
    (raw && (write || facts.identity != Identity::Own)).then(|| touch(reader, place, write))
}

fn touch<'tcx>(reader: &BodyReader<'_, 'tcx>, place: mir::Place<'tcx>, write: bool) -> Touch {
    let ty = place.ty(&reader.body.local_decls, reader.reader.tcx).ty;
    Touch { place: reader.place(place), write, wide: is_wide(reader, ty) }
}

fn is_wide<'tcx>(reader: &BodyReader<'_, 'tcx>, ty: ty::Ty<'tcx>) -> bool {
    let tcx = reader.reader.tcx;
    let layout = tcx.layout_of(reader.body.typing_env(tcx).as_query_input(ty));
    layout.is_ok_and(|layout| layout.size.bytes() > WORD)
}
