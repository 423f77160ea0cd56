//! Waits on condition variables that end too early, or never.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing is tested after it.
    InIf,
    ForNothing,
    /// Nobody else has the mutex.
    OwnMutex,
    /// Whether to wait was decided before the lock was taken.
    DecidedEarly,
    /// One condition variable, two mutexes.
    TwoMutexes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    NotTestedAgain,
    NeverTested,
    Timed,
    /// Another way from the wait does test.
    TestedElsewhere,
    /// Nobody who notifies can have the mutex.
    OwnMutex,
    ConditionReadEarly,
    TwoMutexes,
}

impl Evidence {
    pub fn points(self) -> i32 {
        match self {
            Evidence::NotTestedAgain => 75,
            Evidence::NeverTested => 50,
            Evidence::Timed => -20,
            Evidence::TestedElsewhere => -40,
            Evidence::OwnMutex => 75,
            Evidence::ConditionReadEarly => 60,
            Evidence::TwoMutexes => 80,
        }
    }
}
