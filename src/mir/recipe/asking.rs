//! Values that cannot be made are asked for. As little as possible is: if a constructor is there and one of its values is missing, then
//! that one is asked for, and not what the constructor makes of it.

use super::values::Values;
use finding::recipe::{LACKING, PRIVATE, lacking};
use rustc_middle::ty::Ty;
use std::cell::{Cell, RefCell};

/// How many of the types that stand in the way are tried as the one that is missing.
const TRIED: usize = 6;

/// How many types are tried for each of these.
const BUDGET: usize = 1000;

/// What stands in the way, and what is asked for.
#[derive(Default)]
pub(super) struct Asking<'tcx> {
    /// Taken for given while it is looked for what can be made of it.
    given: Cell<Option<Ty<'tcx>>>,
    /// What could not be made, the innermost first, while somebody wants to know.
    failed: RefCell<Option<Vec<Ty<'tcx>>>>,
    /// The types that are asked for, as they are written.
    missing: RefCell<Vec<String>>,
}

/// A value that is not there, or that is made of one.
pub(super) struct Asked<'tcx> {
    pub(super) text: String,
    pub(super) missing: Ty<'tcx>,
}

impl<'tcx> Asking<'tcx> {
    pub(super) fn is_for(&self, ty: Ty<'tcx>) -> Option<String> {
        (self.given.get() == Some(ty)).then(|| LACKING.to_owned())
    }

    pub(super) fn note(&self, ty: Ty<'tcx>) {
        if let Some(failed) = self.failed.borrow_mut().as_mut()
            && !failed.contains(&ty)
        {
            failed.push(ty);
        }
    }

    /// All types that are asked for. They are forgotten.
    pub(super) fn take(&self) -> Vec<String> {
        self.missing.take()
    }

    fn number(&self, name: String) -> usize {
        let mut missing = self.missing.borrow_mut();
        missing.iter().position(|it| *it == name).unwrap_or_else(|| {
            missing.push(name);
            missing.len() - 1
        })
    }
}

impl<'tcx> Values<'_, 'tcx> {
    /// For a type of which no value could be made. `None` if that type cannot be written.
    pub(super) fn ask(&self, ty: Ty<'tcx>) -> Option<Asked<'tcx>> {
        self.afresh(BUDGET);
        *self.asking.failed.borrow_mut() = Some(Vec::new());
        let _ = self.make(ty);
        let failed = self.asking.failed.take().unwrap_or_default();
        let inner = failed.into_iter().filter(|&one| one != ty).take(TRIED);
        let part = inner.into_iter().find_map(|one| Some((one, self.around(one, ty)?)));
        let (missing, text) = part.unwrap_or_else(|| (ty, LACKING.to_owned()));
        let number = self.asking.number(self.naming.whole(missing)?);
        Some(Asked { text: text.replace(LACKING, &lacking(number)), missing })
    }

    /// What is made of the one is something that the crate makes of it, too.
    fn around(&self, one: Ty<'tcx>, ty: Ty<'tcx>) -> Option<String> {
        self.naming.whole(one)?;
        self.afresh(BUDGET);
        self.asking.given.set(Some(one));
        let made = self.make(ty);
        self.asking.given.set(None);
        made.filter(|text| !text.contains(PRIVATE))
    }
}
