//! Values that the user says how to make: for a type by its path, a function of no parameters, or an expression.

use crate::mir::compat::{PathNS, lookup_path_str};
use rustc_hir::def_id::{DefId, LOCAL_CRATE};
use rustc_middle::ty::TyCtxt;
use std::collections::BTreeMap;

/// How the witness calls the crate that it stands in.
const ROOT: &str = "crate";

/// By type. Those that lead nowhere in this crate are for another one.
#[derive(Default)]
pub struct Fixtures {
    by_type: Vec<(DefId, String)>,
    pub unknown: Vec<String>,
}

impl Fixtures {
    pub fn resolve(tcx: TyCtxt<'_>, settings: &BTreeMap<String, String>) -> Fixtures {
        let own = tcx.crate_name(LOCAL_CRATE);
        let mut all = Fixtures::default();
        for (path, made_by) in settings {
            let full = path.strip_prefix(ROOT).map_or(path.clone(), |rest| format!("{own}{rest}"));
            let expression = expression(made_by, own.as_str());
            let found = lookup_path_str(tcx, PathNS::Type, &full);
            if found.is_empty() {
                all.unknown.push(path.clone());
            }
            all.by_type.extend(found.into_iter().map(|id| (id, expression.clone())));
        }
        all
    }

    pub(super) fn of(&self, id: DefId) -> Option<String> {
        self.by_type.iter().find(|(of, _)| *of == id).map(|(_, expression)| expression.clone())
    }
}

/// A path alone is the path of a function. The witness stands in the crate, where the crate's own name is not known.
fn expression(made_by: &str, own: &str) -> String {
    let within = made_by.strip_prefix(own).filter(|rest| rest.starts_with("::"));
    let text = within.map_or(made_by.to_owned(), |rest| format!("{ROOT}{rest}"));
    let is_path = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    if is_path { format!("{text}()") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{ROOT, expression};

    #[test]
    fn a_path_is_called_and_an_expression_is_kept() {
        assert_eq!(expression("a::testing::pool", "a"), format!("{ROOT}::testing::pool()"));
        assert_eq!(expression("abc::Pool::with(3)", "a"), "abc::Pool::with(3)");
    }
}
