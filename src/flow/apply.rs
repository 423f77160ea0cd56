//! A call of a function whose summary is known: its sections, stores and result, in the caller's paths.

use crate::domain::facts::{Effect, UseKind};
use crate::domain::held::Holding;
use crate::domain::origin::{Age, Origin};
use crate::domain::path::{PathId, Root, Step};
use crate::domain::state::{State, Target};
use crate::domain::value::Value;
use crate::events::{Call, Local, Site};
use crate::flow::transfer::Walker;
use crate::summary::{LockKey, OuterPath, OuterRoot, Section, Source, Store, Summary};

/// Carries the guards of the callee while its stores are applied. No body has a local of this number.
const CALLEE: Local = Local::MAX - 1;

/// Stands for the pointer through which a coroutine is run.
const PIN: Local = Local::MAX - 2;

/// What the parameters of the callee stand for, in the caller's paths.
type Actuals = [Option<PathId>];

impl Walker<'_> {
    pub(super) fn apply(&mut self, state: &mut State, call: &Call, summary: &Summary, site: Site) {
        let actuals: Vec<Option<PathId>> =
            call.arguments.iter().map(|argument| self.operand_slot(state, argument)).collect();
        let value = self.apply_effects(state, &actuals, summary, site);
        self.apply_result(state, call, &actuals, summary, value, site);
    }

    /// A coroutine is made. What it will do is taken as done here; its result is found where it is polled.
    pub(super) fn apply_coroutine(&mut self, state: &mut State, slot: PathId, summary: &Summary, site: Site) {
        let pin = self.paths.local(PIN);
        state.pointers.insert(pin, Target::Known(slot));
        let value = self.apply_effects(state, &[Some(pin)], summary, site);
        state.pointers.remove(&pin);
        state.add(slot, &value);
    }

    /// Sections and stores; what is left is the result.
    fn apply_effects(&mut self, state: &mut State, actuals: &Actuals, summary: &Summary, site: Site) -> Value {
        self.applying = true;
        let sections: Vec<(PathId, Holding)> =
            summary.sections.iter().filter_map(|section| self.enter_callee(state, actuals, section, site)).collect();
        for store in &summary.stores {
            self.apply_store(state, actuals, store, site);
        }
        for position in &summary.positions {
            if let Some(container) = self.translate(state, actuals, &position.container) {
                let value = self.value_of(state, actuals, &position.sources, site);
                self.note_position(container, &value);
                self.record_use(state, UseKind::Position { container }, &value, site);
            }
        }
        self.applying = false;
        let value = self.value_of(state, actuals, &summary.result, site);
        for (lock, holding) in sections {
            state.held.take(CALLEE, lock);
            self.close(state, lock, holding, site);
        }
        value
    }

    /// The callee takes the lock: what the caller knows of it grows older, unless the caller holds it already.
    fn enter_callee(
        &mut self,
        state: &mut State,
        actuals: &Actuals,
        section: &Section,
        site: Site,
    ) -> Option<(PathId, Holding)> {
        let lock = self.translate(state, actuals, &section.lock)?;
        self.name_lock(lock, &section.lock_type);
        if state.held.must(lock) {
            return None;
        }
        self.pass_gap(state, lock, site);
        self.note_section(lock, section.mode);
        let holding = Holding { section: site, mode: section.mode, certain: true };
        state.held.put(CALLEE, lock, holding);
        Some((lock, holding))
    }

    fn apply_store(&mut self, state: &mut State, actuals: &Actuals, store: &Store, site: Site) {
        let Some(target) = self.translate(state, actuals, &store.target) else { return };
        let value = self.value_of(state, actuals, &store.sources, site);
        if let Some(lock) = self.paths.lock_above(target) {
            let looked: Vec<PathId> =
                store.rechecked.iter().filter_map(|path| self.translate(state, actuals, path)).collect();
            let added: Vec<(PathId, PathId)> =
                looked.into_iter().map(|path| (lock, path)).filter(|look| !state.rechecked.contains(look)).collect();
            state.rechecked.extend(added.iter().copied());
            // In a section of its own the callee has told of the write where it stands.
            let told =
                state.held.carried_by(CALLEE).any(|(of, _)| of == lock) && LockKey::of(&self.paths, lock).is_some();
            if !told {
                self.record_write(state, target, site);
            }
            self.write_unrecorded(state, target, &value, store.effect, site);
            added.iter().for_each(|look| {
                state.rechecked.remove(look);
            });
            return;
        }
        self.note_store(state, target, &value, store.effect);
        let known =
            if store.effect == Effect::Overwrites { Value::default() } else { self.found_at(state, target, site) };
        state.values.insert(target, Value::union([&known, &value]).into());
    }

    fn apply_result(
        &mut self,
        state: &mut State,
        call: &Call,
        actuals: &Actuals,
        summary: &Summary,
        value: Value,
        site: Site,
    ) {
        let pointer = summary.pointer.as_ref().and_then(|path| self.translate(state, actuals, path));
        let guards: Vec<(PathId, &Section)> = summary
            .guards
            .iter()
            .filter_map(|section| Some((self.translate(state, actuals, &section.lock)?, section)))
            .collect();
        self.give(state, call, value, pointer, site);
        for (lock, section) in guards {
            self.name_lock(lock, &section.lock_type);
            self.acquire_into(state, call.to.local, lock, site, section.mode);
            if pointer.is_none() {
                let data = self.paths.child(lock, Step::Data);
                let slot = self.resolve(state, &call.to);
                state.pointers.insert(slot, Target::Known(data));
            }
        }
    }

    /// The caller's name for a path of the callee.
    pub(super) fn translate(&mut self, state: &State, actuals: &Actuals, path: &OuterPath) -> Option<PathId> {
        let (mut at, mut steps) = match &path.root {
            OuterRoot::Static(id, name) => (self.paths.root(Root::Static(*id, name.clone())), &path.steps[..]),
            OuterRoot::Parameter(number) => ((*actuals.get(number - 1)?)?, &path.steps[..]),
        };
        while let Some((step, rest)) = steps.split_first() {
            at = match step {
                Step::Pointee { shared } => match state.pointer(&self.paths, at) {
                    Some(target) => target,
                    None => self.paths.child(at, Step::Pointee { shared: *shared }),
                },
                Step::Field(_) | Step::Element | Step::Data => self.paths.child(at, step.clone()),
            };
            steps = rest;
        }
        Some(at)
    }

    fn value_of(&mut self, state: &State, actuals: &Actuals, sources: &[Source], site: Site) -> Value {
        let mut all = Value::default();
        for source in sources {
            match source {
                Source::Input(path) => {
                    if let Some(path) = self.translate(state, actuals, path) {
                        all.add(&self.found_at(state, path, site));
                    }
                }
                Source::Look { lock, path, how } => {
                    let lock = self.translate(state, actuals, lock);
                    let path = self.translate(state, actuals, path);
                    let (Some(lock), Some(path)) = (lock, path) else { continue };
                    if self.paths.is_ambiguous(lock) {
                        continue;
                    }
                    let section = state.held.maybe(lock).map_or(site, |holding| holding.section);
                    let look = Origin {
                        lock,
                        path,
                        section,
                        read: site,
                        how: *how,
                        by_callee: true,
                        left: None,
                        cover: None,
                        age: Age::Fresh,
                    };
                    all.add(&Value::look(look));
                }
            }
        }
        all
    }
}
