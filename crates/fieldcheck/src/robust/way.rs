//! How much of a crate is compiled. Published crates often lack what their tests need, and features exclude each other or need
//! libraries of the system; so what compiles has to be tried, from the most to the least.

use crate::lab::Subject;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    AllOfAll,
    AllTargets,
    AllFeatures,
    Library,
}

impl Way {
    /// One after the other; those of one step are tried both, because neither has all that the other has.
    pub const STEPS: [&[Way]; 3] = [&[Way::AllOfAll], &[Way::AllTargets, Way::AllFeatures], &[Way::Library]];

    pub fn title(self) -> &'static str {
        match self {
            Way::AllOfAll => "all targets, all features",
            Way::AllTargets => "all targets",
            Way::AllFeatures => "library, all features",
            Way::Library => "library",
        }
    }

    /// The words for cargo. All targets that compile are looked at, even if another does not: a crash shows there as well.
    pub fn words(self, subject: &Subject) -> Vec<String> {
        let (target, all_features) = match self {
            Way::AllOfAll => ("--all-targets", true),
            Way::AllTargets => ("--all-targets", false),
            Way::AllFeatures => ("--lib", true),
            Way::Library => ("--lib", false),
        };
        let mut words = vec![target.to_owned(), "--keep-going".to_owned()];
        match all_features {
            true => words.push(ALL_FEATURES.to_owned()),
            false => words.extend(subject.args.iter().cloned()),
        }
        words
    }

    /// The list may ask for all features already.
    pub fn is_another(self, subject: &Subject) -> bool {
        let has_all = subject.args.iter().any(|word| word == ALL_FEATURES);
        !has_all || matches!(self, Way::AllOfAll | Way::AllFeatures)
    }
}

const ALL_FEATURES: &str = "--all-features";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_the_list_are_taken_unless_all_are() {
        let subject = Subject::new("moka", "0.12.16", "--features sync,future");
        assert_eq!(Way::AllTargets.words(&subject), ["--all-targets", "--keep-going", "--features", "sync,future"]);
        assert_eq!(Way::AllFeatures.words(&subject), ["--lib", "--keep-going", "--all-features"]);
    }

    #[test]
    fn what_is_the_same_is_not_tried_twice() {
        let ways = |args: &str| {
            let subject = Subject::new("deadpool", "0.13.1", args);
            Way::STEPS.iter().flat_map(|step| step.iter()).filter(|way| way.is_another(&subject)).count()
        };
        assert_eq!([ways(""), ways("--all-features")], [4, 2]);
    }
}
