//! What operators ask: whether two things are the same, or which of them comes first.

use rustc_middle::mir::BinOp;

pub(super) enum Kind {
    Equality,
    Order,
    Computes,
}

pub(super) fn kind(op: BinOp) -> Kind {
    match op {
        BinOp::Eq | BinOp::Ne => Kind::Equality,
        BinOp::Lt | BinOp::Le | BinOp::Ge | BinOp::Gt | BinOp::Cmp => Kind::Order,
        BinOp::Add
        | BinOp::AddUnchecked
        | BinOp::AddWithOverflow
        | BinOp::Sub
        | BinOp::SubUnchecked
        | BinOp::SubWithOverflow
        | BinOp::Mul
        | BinOp::MulUnchecked
        | BinOp::MulWithOverflow
        | BinOp::Div
        | BinOp::Rem
        | BinOp::BitXor
        | BinOp::BitAnd
        | BinOp::BitOr
        | BinOp::Shl
        | BinOp::ShlUnchecked
        | BinOp::Shr
        | BinOp::ShrUnchecked
        | BinOp::Offset => Kind::Computes,
    }
}
