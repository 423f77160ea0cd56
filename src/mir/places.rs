//! Places: which variable, and the way from it through pointers, fields and elements, with the names people know.

use crate::mir::Reader;
use crate::mir::plain::{Field, Place, PlaceStep};
use crate::mir::read::{BodyReader, local};
use rustc_middle::mir::{self, PlaceElem, ProjectionElem};
use rustc_middle::ty::{self, Ty};
use rustc_span::sym;

pub(super) fn place<'tcx>(reader: &BodyReader<'_, 'tcx>, place: mir::Place<'tcx>) -> Place {
    let whole = (local(place.local), reader.body.local_decls[place.local].ty, &place.projection[..]);
    let (local, ty, way) = reader.coroutine.as_ref().and_then(|coroutine| coroutine.saved(&place)).unwrap_or(whole);
    let mut at = mir::PlaceTy::from_ty(ty);
    let mut steps = Vec::new();
    for &element in way {
        steps.extend(step(reader, at, element));
        at = at.projection_ty(reader.reader.tcx, element);
    }
    Place { local, steps: steps.into() }
}

fn step<'tcx>(reader: &BodyReader<'_, 'tcx>, at: mir::PlaceTy<'tcx>, element: PlaceElem<'tcx>) -> Option<PlaceStep> {
    match element {
        ProjectionElem::Deref => Some(PlaceStep::Deref { shared: is_shared_pointer(at.ty) }),
        ProjectionElem::Field(index, _) => {
            let variant = at.variant_index.map_or(0, |variant| variant.as_u32());
            Some(PlaceStep::Field(field(reader.reader, at.ty, variant, index.as_u32())))
        }
        ProjectionElem::Index(index) => Some(PlaceStep::Index(local(index))),
        ProjectionElem::ConstantIndex { .. } | ProjectionElem::Subslice { .. } => Some(PlaceStep::Element),
        ProjectionElem::Downcast(..)
        | ProjectionElem::OpaqueCast(_)
        | ProjectionElem::UnwrapUnsafeBinder(_)
        | ProjectionElem::PhantomDeref => None,
    }
}

fn is_shared_pointer(ty: Ty<'_>) -> bool {
    match ty.kind() {
        ty::Ref(_, _, mutability) => mutability.is_not(),
        _ => ty.is_raw_ptr(),
    }
}

pub(super) fn field<'tcx>(reader: &Reader<'_, 'tcx>, ty: Ty<'tcx>, variant: u32, index: u32) -> Field {
    let of = match ty.kind() {
        ty::Adt(adt, _) => Some(adt.did()),
        ty::Closure(id, _) | ty::CoroutineClosure(id, _) | ty::Coroutine(id, _) => Some(*id),
        _ => None,
    };
    let mut known = reader.fields.borrow_mut();
    known.entry((of, variant, index)).or_insert_with(|| named_field(reader, ty, variant, index)).clone()
}

fn named_field<'tcx>(reader: &Reader<'_, 'tcx>, ty: Ty<'tcx>, variant: u32, index: u32) -> Field {
    let tcx = reader.tcx;
    let at = index as usize;
    let (name, owner) = match ty.kind() {
        ty::Adt(adt, _) => {
            let variant = adt.variants().iter().nth(variant as usize);
            let field = variant.and_then(|variant| variant.fields.iter().nth(at));
            // `Pin` is a wrapper that nobody thinks of as one: its field goes without a name.
            let name = field.filter(|_| !adt.is_pin()).map(|field| field.name.to_string());
            let name =
                if tcx.is_diagnostic_item(sym::Option, adt.did()) { Some(Field::CONTENT.to_owned()) } else { name };
            (name, Some(reader.definition(adt.did())))
        }
        ty::Closure(id, _) | ty::CoroutineClosure(id, _) | ty::Coroutine(id, _) => {
            let captured = id.as_local().and_then(|id| tcx.closure_captures(id).get(at).copied());
            (captured.map(|captured| captured.var_ident.to_string()), None)
        }
        _ => (None, None),
    };
    Field::new(variant, index, &name.unwrap_or_else(|| index.to_string()), owner)
}
