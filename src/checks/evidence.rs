//! Evidence and its weight (the idea of RacerX: rank by how sure, and say why). The words for it are in `emit`.

/// One reason for or against a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The written value is computed from the old look.
    DataDependence,
    /// It replaces what is there without a look.
    Overwrites,
    /// It goes through a call that could look for itself.
    ThroughCall,
    /// The present value is part of the new one.
    Adjusts,
    /// Read and write are of the same thing.
    SamePlace,
    OtherPlace,
    /// The original was moved out meanwhile.
    MovedOut,
    OldPosition,
    OldContainer,
    /// The way forks on the old value.
    OldDecision,
    AcrossWait,
    /// Another function writes it.
    WrittenElsewhere,
    /// The function itself writes it: two threads in it are enough.
    WrittenHere,
    /// More than one section has passed.
    Older,
    /// The look and the use stand in functions that are called.
    InCallees,
    /// What a callee does with the old value is not known well.
    Unclear,
    /// The rule of 2002 asks for no more than an order of events.
    OrderOnly,
}

impl Evidence {
    pub fn points(self) -> i32 {
        match self {
            Evidence::DataDependence => 40,
            Evidence::Overwrites => 15,
            Evidence::ThroughCall => -5,
            Evidence::Adjusts => -25,
            Evidence::SamePlace => 15,
            Evidence::OtherPlace => -25,
            Evidence::MovedOut => 5,
            Evidence::OldPosition => 60,
            Evidence::OldContainer => 50,
            Evidence::OldDecision => 30,
            Evidence::AcrossWait => 10,
            Evidence::WrittenElsewhere => 10,
            Evidence::WrittenHere => 5,
            Evidence::Older => 5,
            Evidence::InCallees => -26,
            Evidence::Unclear => -20,
            Evidence::OrderOnly => 45,
        }
    }
}

pub fn score(evidence: &[Evidence]) -> i32 {
    evidence.iter().map(|one| one.points()).sum()
}
