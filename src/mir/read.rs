//! From rustc's MIR to the plain form. The one file that matches on MIR; every variant is listed, so that a new
//! nightly breaks the build here and not the analysis somewhere.

use crate::mir::DefinitionId;
use crate::mir::Reader;
use crate::mir::allowed;
use crate::mir::arms::{self, Answers};
use crate::mir::coroutine::Coroutine;
use crate::mir::ops;
use crate::mir::orders;
use crate::mir::plain::{
    Block, Body, Call, Closure, Local, Made, Operand, Part, Place, PlaceStep, Rvalue, Statement, Touch, TypeFacts,
    Variable,
};
use crate::mir::refusals::Refusals;
use crate::mir::sites::Site;
use crate::mir::touches;
use crate::models::{Beyond, LockKind, Meaning};
use rustc_abi::FieldIdx;
use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_index::{IndexVec, bit_set::DenseBitSet};
use rustc_middle::mir::{
    self, BasicBlock, CastKind, NonDivergingIntrinsic, START_BLOCK, SourceInfo, StatementKind, TerminatorKind,
    VarDebugInfoContents,
};
use rustc_middle::ty;
use rustc_span::sym;
use std::rc::Rc;

pub(super) struct BodyReader<'r, 'tcx> {
    pub(super) reader: &'r Reader<'r, 'tcx>,
    pub(super) owner: LocalDefId,
    pub(super) body: &'r mir::Body<'tcx>,
    pub(super) coroutine: Option<Coroutine<'r, 'tcx>>,
    answers: Answers<'r, 'tcx>,
    refusals: Refusals<'tcx>,
    /// It comes near state that no lock is tied to.
    touches: bool,
}

/// A trait with more implementations than this may run anything.
const MOST_IMPLEMENTATIONS: usize = 3;

impl<'r, 'tcx> BodyReader<'r, 'tcx> {
    pub(super) fn new(reader: &'r Reader<'r, 'tcx>, owner: LocalDefId, body: &'r mir::Body<'tcx>) -> Self {
        let touches = reader.touching().contains(&reader.tcx.typeck_root_def_id_local(owner));
        let (coroutine, answers) = (Coroutine::of(body), Answers::of(reader.tcx, body));
        let refusals = Refusals::of(reader.tcx, body);
        BodyReader { reader, owner, body, coroutine, answers, refusals, touches }
    }

    pub(super) fn read(&self) -> Body {
        let order = self.reverse_postorder();
        let numbers = order.iter().enumerate().map(|(number, &id)| (id, number)).collect();
        Body {
            id: self.reader.definition(self.owner.to_def_id()),
            blocks: order.iter().map(|&id| self.block(id, &numbers)).collect(),
            variables: self.variables(),
            parameters: self.body.arg_count,
            exclusive_types: self.exclusive_types(),
            driven_by: self.driven_by(),
            promised: self.is_unsafe(),
            sleeps_knowingly: self.coroutine.is_some() && allowed::holding_across_await(self.reader.tcx, self.owner),
            atomic: self.reader.declared().is_atomic(self.reader.tcx, self.owner),
            requires: self.reader.declared().required(self.owner),
            guards: self.reader.declared().guards(),
            exposures: self.reader.exposures(),
            touches: self.touches && self.reader.exposures().has_plain_memory(),
            unshareable: self.unshareable(),
            of_thread: self.of_thread(),
            has_token: self.touches && self.has_token(),
            drops_clone: self.drops_clone(),
            polls: self.polls().then(|| self.reader.wakers()),
            fences: self.fences(),
            is_closure: self.reader.tcx.is_closure_like(self.owner.to_def_id()) && self.coroutine.is_none(),
        }
    }

    /// Where a block leads, unwinding aside.
    fn successors(&self, id: BasicBlock) -> Vec<BasicBlock> {
        let changed = self.coroutine.as_ref().and_then(|coroutine| coroutine.successors(id));
        let plain = || self.body.basic_blocks[id].terminator().successors();
        let all = changed.unwrap_or_else(|| plain().collect());
        all.into_iter().filter(|&next| !self.body.basic_blocks[next].is_cleanup).collect()
    }

    /// Every block after those that lead to it, loops aside. Blocks that nothing leads to are left out.
    fn reverse_postorder(&self) -> Vec<BasicBlock> {
        let mut seen = DenseBitSet::new_empty(self.body.basic_blocks.len());
        let mut order = Vec::new();
        let mut open = vec![(START_BLOCK, self.successors(START_BLOCK))];
        seen.insert(START_BLOCK);
        while let Some((block, next)) = open.last_mut() {
            match next.pop() {
                Some(next) if seen.insert(next) => open.push((next, self.successors(next))),
                Some(_) => {}
                None => {
                    order.push(*block);
                    open.pop();
                }
            }
        }
        order.reverse();
        order
    }

    fn variables(&self) -> Vec<Variable> {
        let names: FxHashMap<mir::Local, Rc<str>> = self
            .body
            .var_debug_info
            .iter()
            .filter_map(|info| match info.value {
                VarDebugInfoContents::Place(place) => Some((place.as_local()?, info.name.as_str().into())),
                VarDebugInfoContents::Const(_) => None,
            })
            .collect();
        let variable = |name: Option<Rc<str>>, ty: ty::Ty<'tcx>| Variable {
            name,
            facts: self.reader.types.facts(ty),
            closure: self.closure(ty),
            future: match ty.kind() {
                ty::Coroutine(id, _) => Some(self.reader.definition(*id)),
                _ => None,
            },
        };
        let own = self.body.local_decls.iter_enumerated();
        let own = own.map(|(local, decl)| variable(names.get(&local).cloned(), decl.ty));
        let saved = self.coroutine.as_ref().map(Coroutine::variables).unwrap_or_default();
        own.chain(saved.into_iter().map(|(ty, name)| variable(name, ty))).collect()
    }

    fn closure(&self, ty: ty::Ty<'tcx>) -> Option<Closure> {
        let ty::Closure(id, args) = ty.peel_refs().kind() else { return None };
        Some(Closure {
            body: self.reader.definition(*id),
            by_reference: args.as_closure().kind() != ty::ClosureKind::FnOnce,
            behind_reference: ty.is_ref(),
        })
    }

    fn block(&self, id: BasicBlock, numbers: &FxHashMap<BasicBlock, usize>) -> Block {
        let data = &self.body.basic_blocks[id];
        let mut block = Block::default();
        for statement in &data.statements {
            self.statement(statement, &mut block);
        }
        let terminator = data.terminator();
        if let TerminatorKind::Call { func, args, destination, .. } = &terminator.kind
            && self.touches
        {
            self.push_touches(touches::of_call(self, func, args, *destination), terminator.source_info, &mut block);
        }
        if let Some(last) = self.terminator(data) {
            let info = match last {
                Statement::Drop { .. } => self.end_of(terminator.source_info),
                _ => terminator.source_info,
            };
            block.statements.push((self.site(info), last));
        }
        if matches!(terminator.kind, TerminatorKind::Return) {
            let suspended = self.coroutine.as_ref().filter(|coroutine| coroutine.suspends(id));
            let last = match suspended {
                Some(coroutine) if coroutine.awaits_nothing(self.reader.tcx, id) => None,
                Some(_) => Some(Statement::Suspend),
                None => Some(Statement::Return),
            };
            block.statements.extend(last.map(|last| (self.site(terminator.source_info), last)));
        }
        block.successors = self.successors(id).iter().filter_map(|next| numbers.get(next).copied()).collect();
        block.for_debugging = self.answers.asks_for_debugging(data);
        block.if_gone = self.answers.way_if_gone(data).and_then(|next| numbers.get(&next).copied());
        let holds_guard = |ty| self.reader.types.facts(ty).holds_guard;
        let empty = arms::ways_without(self.reader.tcx, self.body, data, holds_guard).into_iter();
        // Variables that live over an `.await` are places of the coroutine.
        let empty = empty.map(|(next, of)| (next, self.place(of))).filter(|(_, of)| of.steps.is_empty());
        block.empty = empty.filter_map(|(next, of)| Some((*numbers.get(&next)?, of.local))).collect();
        let poisoned = arms::way_if_poisoned(self.reader.tcx, self.body, data);
        block.if_poisoned = poisoned.and_then(|next| numbers.get(&next).copied());
        block.refuses = self.refusals.in_block(self.body, data);
        block
    }

    /// What is dropped at the end of a scope or statement is dropped at its last character.
    fn end_of(&self, info: SourceInfo) -> SourceInfo {
        SourceInfo { span: self.reader.tcx.sess.source_map().end_point(info.span.source_callsite()), ..info }
    }

    fn site(&self, info: SourceInfo) -> Site {
        let root = info.scope.lint_root(&self.body.source_scopes);
        let root = root.unwrap_or_else(|| self.reader.tcx.local_def_id_to_hir_id(self.owner));
        self.reader.sites.borrow_mut().add(info.span, root)
    }

    fn statement(&self, statement: &mir::Statement<'tcx>, block: &mut Block) {
        let plain = match &statement.kind {
            StatementKind::Assign(assign) => {
                let (to, value) = &**assign;
                if self.touches {
                    let touches = touches::of_assignment(self, *to, value);
                    self.push_touches(touches, statement.source_info, block);
                }
                Statement::Assign { to: self.place(*to), value: self.value(value) }
            }
            StatementKind::StorageDead(local) => Statement::Dead(local.as_u32()),
            StatementKind::Intrinsic(intrinsic) => match &**intrinsic {
                NonDivergingIntrinsic::Assume(_) | NonDivergingIntrinsic::CopyNonOverlapping(_) => return,
            },
            StatementKind::SetDiscriminant { .. }
            | StatementKind::FakeRead(_)
            | StatementKind::StorageLive(_)
            | StatementKind::PlaceMention(_)
            | StatementKind::AscribeUserType(..)
            | StatementKind::Coverage(_)
            | StatementKind::ConstEvalCounter
            | StatementKind::Nop
            | StatementKind::BackwardIncompatibleDropHint { .. } => return,
        };
        block.statements.push((self.site(statement.source_info), plain));
    }

    fn push_touches(&self, touches: Vec<Touch>, info: SourceInfo, block: &mut Block) {
        block.statements.extend(touches.into_iter().map(|touch| (self.site(info), Statement::Touch(touch))));
    }

    fn terminator(&self, data: &mir::BasicBlockData<'tcx>) -> Option<Statement> {
        match &data.terminator().kind {
            TerminatorKind::SwitchInt { discr, .. } => Some(Statement::Branch(self.operand(discr))),
            TerminatorKind::Drop { place, .. } => {
                let by = self.destructors(place.ty(&self.body.local_decls, self.reader.tcx).ty);
                Some(Statement::Drop { place: self.place(*place), facts: self.place_facts(*place), by })
            }
            TerminatorKind::Call { func, args, destination, .. } => {
                Some(Statement::Call(self.call(data, func, args, *destination)))
            }
            TerminatorKind::TailCall { func, args, .. } => {
                Some(Statement::Call(self.call(data, func, args, mir::Place::return_place())))
            }
            TerminatorKind::Goto { .. }
            | TerminatorKind::UnwindResume
            | TerminatorKind::UnwindTerminate(_)
            | TerminatorKind::Return
            | TerminatorKind::Unreachable
            | TerminatorKind::Assert { .. }
            | TerminatorKind::Yield { .. }
            | TerminatorKind::CoroutineDrop
            | TerminatorKind::FalseEdge { .. }
            | TerminatorKind::FalseUnwind { .. }
            | TerminatorKind::InlineAsm { .. } => None,
        }
    }

    fn call(
        &self,
        data: &mir::BasicBlockData<'tcx>,
        func: &mir::Operand<'tcx>,
        args: &[rustc_span::Spanned<mir::Operand<'tcx>>],
        to: mir::Place<'tcx>,
    ) -> Call {
        let (meaning, section) = self.meaning(func).unzip();
        let receiver = args.first().and_then(|first| {
            let ty = first.node.ty(&self.body.local_decls, self.reader.tcx).peel_refs();
            // `lock_owned` takes a handle.
            let acquires = matches!(meaning, Some(Meaning::Acquire { .. }));
            self.lock_type(ty).or_else(|| self.lock_type(self.behind_handle(ty).filter(|_| acquires)?))
        });
        let atomic = receiver.as_ref().is_some_and(|lock| lock.kind == LockKind::Atomic);
        // What is known by its meaning is not read.
        let callees = if meaning.is_none() { self.callees(func) } else { Vec::new() };
        Call {
            meaning,
            beyond: self.beyond(func).or_else(|| self.acts(data, func, to)),
            for_many: self.is_of_trait(func),
            shares: self.is_foreign(func, &callees) && args.iter().any(|argument| self.is_shared(&argument.node)),
            callees,
            order: atomic.then(|| orders::order(self.reader.tcx, self.body, data, args)).flatten(),
            section: section.flatten(),
            part: self.kept_for_type(func),
            invokes: self.is_invocation(func),
            sent: self.sent(func, args),
            arguments: args.iter().map(|argument| self.argument(&argument.node, atomic)).collect(),
            to: self.place(to),
            result: self.place_facts(to),
            receiver,
        }
    }

    /// A call through `Fn`, `FnMut` or `FnOnce`.
    fn is_invocation(&self, func: &mir::Operand<'tcx>) -> bool {
        let tcx = self.reader.tcx;
        let ty::FnDef(id, _) = func.ty(&self.body.local_decls, tcx).kind() else { return false };
        tcx.trait_of_assoc(*id).is_some_and(|of| tcx.fn_trait_kind_from_def_id(of).is_some())
    }

    /// The functions that may run; none if that is not known.
    fn callees(&self, func: &mir::Operand<'tcx>) -> Vec<DefinitionId> {
        let tcx = self.reader.tcx;
        let ty::FnDef(id, args) = func.ty(&self.body.local_decls, tcx).kind() else { return Vec::new() };
        let Some(args) = args.no_bound_vars() else { return Vec::new() };
        let ids = match tcx.trait_of_assoc(*id) {
            Some(of) => {
                let resolved = ty::Instance::try_resolve(tcx, self.body.typing_env(tcx), *id, args).ok().flatten();
                let known = resolved.filter(|instance| matches!(instance.def, ty::InstanceKind::Item(_)));
                known.map_or_else(|| self.implementations(of, *id), |instance| vec![instance.def_id()])
            }
            None => vec![*id],
        };
        ids.into_iter().map(|id| self.reader.definition(id)).collect()
    }

    /// A trait of this crate that few types implement: whatever stands behind a type parameter or a `dyn`, it runs the
    /// method of one of them.
    fn implementations(&self, of: DefId, method: DefId) -> Vec<DefId> {
        let tcx = self.reader.tcx;
        if !of.is_local() {
            return Vec::new();
        }
        let types: Vec<DefId> = tcx.all_impls(of).take(MOST_IMPLEMENTATIONS + 1).collect();
        let found = types.iter().map(|&of| tcx.impl_item_implementor_ids(of).get(&method).copied());
        let found: Option<Vec<DefId>> = found.collect();
        found.filter(|_| types.len() <= MOST_IMPLEMENTATIONS).unwrap_or_default()
    }

    pub(super) fn beyond(&self, func: &mir::Operand<'tcx>) -> Option<Beyond> {
        match func.ty(&self.body.local_decls, self.reader.tcx).kind() {
            ty::FnDef(id, args) => {
                self.reader.resolved.beyond(self.reader.tcx, *id, args.no_bound_vars().unwrap_or_default())
            }
            _ => None,
        }
    }

    /// What an `Arc` leads to.
    pub(super) fn behind_handle(&self, ty: ty::Ty<'tcx>) -> Option<ty::Ty<'tcx>> {
        match ty.kind() {
            ty::Adt(adt, args) if self.reader.tcx.is_diagnostic_item(sym::Arc, adt.did()) => Some(args.type_at(0)),
            _ => None,
        }
    }

    fn is_of_trait(&self, func: &mir::Operand<'tcx>) -> bool {
        let tcx = self.reader.tcx;
        matches!(func.ty(&self.body.local_decls, tcx).kind(), ty::FnDef(id, _) if tcx.trait_of_assoc(*id).is_some())
    }

    fn is_shared(&self, operand: &mir::Operand<'tcx>) -> bool {
        self.reader.types.shares(operand.ty(&self.body.local_decls, self.reader.tcx))
    }

    /// Code that is not seen here may run.
    fn is_foreign(&self, func: &mir::Operand<'tcx>, callees: &[DefinitionId]) -> bool {
        let tcx = self.reader.tcx;
        let ty::FnDef(id, _) = func.ty(&self.body.local_decls, tcx).kind() else { return true };
        let without_body = tcx.trait_of_assoc(*id).is_some() && callees.is_empty();
        !is_of_std(tcx, *id) && (!id.is_local() || without_body)
    }

    /// A call that gives nothing is made for its effects; so is one of code that is not Rust's. What the standard library
    /// does is known, and what macros of others do (logging) is no business of the code they stand in.
    fn acts(
        &self,
        data: &mir::BasicBlockData<'tcx>,
        func: &mir::Operand<'tcx>,
        to: mir::Place<'tcx>,
    ) -> Option<Beyond> {
        let tcx = self.reader.tcx;
        let ty::FnDef(id, _) = func.ty(&self.body.local_decls, tcx).kind() else { return None };
        let gives_nothing = to.ty(&self.body.local_decls, tcx).ty.is_unit();
        let by_macro = data.terminator().source_info.span.from_expansion();
        let acts = tcx.is_foreign_item(*id) || (gives_nothing && !is_of_std(tcx, *id) && !by_macro);
        acts.then_some(Beyond::Acts)
    }

    fn place_facts(&self, place: mir::Place<'tcx>) -> TypeFacts {
        self.reader.types.facts(place.ty(&self.body.local_decls, self.reader.tcx).ty)
    }

    fn operand(&self, operand: &mir::Operand<'tcx>) -> Operand {
        match operand {
            mir::Operand::Copy(place) => Operand::Copy(self.place(*place)),
            mir::Operand::Move(place) => Operand::Move(self.place(*place)),
            mir::Operand::Constant(constant) => match constant.check_static_ptr(self.reader.tcx) {
                Some(id) => Operand::Static(self.reader.definition(id), self.reader.tcx.item_name(id).as_str().into()),
                None => Operand::Constant(number(constant)),
            },
            mir::Operand::RuntimeChecks(_) => Operand::Constant(None),
        }
    }

    /// For atomics the numbers behind the names of constants matter: `RUNNING`.
    fn argument(&self, operand: &mir::Operand<'tcx>, atomic: bool) -> Operand {
        match (self.operand(operand), operand) {
            (Operand::Constant(None), mir::Operand::Constant(constant)) if atomic => {
                let tcx = self.reader.tcx;
                let number = constant.const_.try_eval_scalar_int(tcx, self.body.typing_env(tcx));
                Operand::Constant(number.and_then(|number| u64::try_from(number.to_bits_unchecked()).ok()))
            }
            (read, _) => read,
        }
    }

    fn value(&self, value: &mir::Rvalue<'tcx>) -> Rvalue {
        match value {
            mir::Rvalue::Use(operand, _) | mir::Rvalue::WrapUnsafeBinder(operand, _) => {
                Rvalue::Use(self.operand(operand))
            }
            mir::Rvalue::CopyForDeref(place) | mir::Rvalue::Reborrow(_, _, place) => {
                Rvalue::Use(Operand::Copy(self.place(*place)))
            }
            mir::Rvalue::Cast(kind, operand, _) => self.cast(*kind, self.operand(operand)),
            mir::Rvalue::Ref(_, _, place) | mir::Rvalue::RawPtr(_, place) => Rvalue::Borrow(self.place(*place)),
            mir::Rvalue::Repeat(operand, _) => {
                Rvalue::Aggregate { made: Made::Data, parts: vec![self.part(PlaceStep::Element, operand)] }
            }
            mir::Rvalue::BinaryOp(op, operands) => {
                let parts = vec![self.argument(&operands.0, true), self.argument(&operands.1, true)];
                match ops::kind(*op) {
                    ops::Kind::Order => Rvalue::Order(parts),
                    ops::Kind::Equality => Rvalue::Compare(parts),
                    ops::Kind::Computes => Rvalue::Compute(parts),
                }
            }
            mir::Rvalue::UnaryOp(_, operand) => Rvalue::Compute(vec![self.operand(operand)]),
            mir::Rvalue::Discriminant(place) => Rvalue::Discriminant(self.place(*place)),
            mir::Rvalue::Aggregate(kind, parts) => self.aggregate(value, kind, parts),
            // Each thread has its own: nothing there is shared.
            mir::Rvalue::ThreadLocalRef(_) => Rvalue::Nothing,
        }
    }

    fn aggregate(
        &self,
        value: &mir::Rvalue<'tcx>,
        kind: &mir::AggregateKind<'tcx>,
        parts: &IndexVec<FieldIdx, mir::Operand<'tcx>>,
    ) -> Rvalue {
        let ty = value.ty(&self.body.local_decls, self.reader.tcx);
        let (variant, made) = match kind {
            mir::AggregateKind::Array(_) => (None, Made::Data),
            mir::AggregateKind::Tuple | mir::AggregateKind::RawPtr(..) => (Some(0), Made::Data),
            mir::AggregateKind::Adt(_, variant, ..) => (Some(variant.as_u32()), Made::Data),
            mir::AggregateKind::Closure(id, _) | mir::AggregateKind::CoroutineClosure(id, _) => {
                (Some(0), Made::Closure(self.reader.definition(*id)))
            }
            mir::AggregateKind::Coroutine(id, _) => (Some(0), Made::Coroutine(self.reader.definition(*id))),
        };
        let step = |index: FieldIdx| match variant {
            Some(variant) => PlaceStep::Field(super::places::field(self.reader, ty, variant, index.as_u32())),
            None => PlaceStep::Element,
        };
        let parts = parts.iter_enumerated().map(|(index, part)| self.part(step(index), part));
        Rvalue::Aggregate { made, parts: parts.collect() }
    }

    fn part(&self, step: PlaceStep, operand: &mir::Operand<'tcx>) -> Part {
        let ty = operand.ty(&self.body.local_decls, self.reader.tcx);
        Part { step, operand: self.operand(operand), pointer: self.reader.types.is_pointer(ty) }
    }

    /// Casts of pointers keep what they point at; the others compute a new value.
    fn cast(&self, kind: CastKind, operand: Operand) -> Rvalue {
        match kind {
            CastKind::PointerCoercion(..)
            | CastKind::PtrToPtr
            | CastKind::FnPtrToPtr
            | CastKind::Transmute
            | CastKind::BoxDerefTransmute
            | CastKind::Subtype => Rvalue::Use(operand),
            CastKind::PointerExposeProvenance
            | CastKind::PointerWithExposedProvenance
            | CastKind::IntToInt
            | CastKind::FloatToInt
            | CastKind::FloatToFloat
            | CastKind::IntToFloat => Rvalue::Compute(vec![operand]),
        }
    }

    pub(super) fn place(&self, place: mir::Place<'tcx>) -> Place {
        super::places::place(self, place)
    }
}

pub(super) fn local(local: mir::Local) -> Local {
    local.as_u32()
}

fn is_of_std(tcx: ty::TyCtxt<'_>, id: DefId) -> bool {
    matches!(tcx.crate_name(id.krate), sym::std | sym::core | sym::alloc)
}

fn number(constant: &mir::ConstOperand<'_>) -> Option<u64> {
    let scalar = constant.const_.try_to_scalar_int()?;
    u64::try_from(scalar.to_bits_unchecked()).ok()
}
