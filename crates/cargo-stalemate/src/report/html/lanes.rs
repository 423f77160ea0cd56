//! The picture of a schedule: one lane per thread, time from left to right, steps numbered as in the text, and a bar over
//! the lane for as long as a lock is known to be held.

use super::colours::Colours;
use super::naming::{LockNames, quoted};
use finding::{Finding, Step, StepKind, Thread};

const LEFT: usize = 70;
const STEP: usize = 66;
/// The least from one lane to the next.
const LANE: usize = 72;
/// Room over a lane without bars, and below one.
const ABOVE: usize = 16;
const BELOW: usize = 36;
const BAR: usize = 7;
/// Between bars of locks that are held together.
const BAR_GAP: usize = 15;
/// The width of a character of a bar's name.
const CHARACTER: usize = 6;

/// Everything that the template draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    pub width: usize,
    pub height: usize,
    pub lanes: Vec<Lane>,
    pub dots: Vec<Dot>,
    pub bars: Vec<Bar>,
    /// Where one thread stops and the other one runs.
    pub switches: Vec<Switch>,
    /// The picture in words.
    pub words: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    pub name: &'static str,
    pub y: usize,
    pub from: usize,
    pub to: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dot {
    pub number: usize,
    pub x: usize,
    pub y: usize,
    pub verb: &'static str,
    pub title: String,
    /// The step that the finding is about.
    pub primary: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub class: String,
    pub name: String,
    /// The name as far as there is room for it.
    pub label: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub x1: usize,
    pub y1: usize,
    pub x2: usize,
    pub y2: usize,
}

/// A lock that is held from one step to another; the ends are places between or at steps, counted in half steps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Held {
    thread: Thread,
    name: String,
    from: usize,
    to: usize,
    depth: usize,
}

pub fn lanes(finding: &Finding, names: &LockNames, colours: &Colours) -> Lanes {
    let steps = &finding.trace;
    if steps.is_empty() {
        return Lanes::default();
    }
    let held = held(finding);
    let (threads, heights) = heights(steps, &held);
    let y = |thread: Thread| heights[threads.iter().position(|one| *one == thread).unwrap_or(0)];
    let width = x(steps.len() * 2 - 1);
    let spot = |(index, step): (usize, &Step)| (x(index * 2), y(step.thread));
    let spots: Vec<(usize, usize)> = steps.iter().enumerate().map(spot).collect();
    Lanes {
        width,
        height: heights.last().map_or(0, |last| last + BELOW),
        lanes: threads.iter().map(|thread| lane(*thread, y(*thread), steps)).collect(),
        dots: dots(finding, &spots),
        bars: bars(&held, width, y, &|name| colours.class(&names.for_all(finding, name))),
        switches: switches(steps, &spots),
        words: words(steps),
    }
}

/// The threads that do something, and where their lanes are: each has room for its bars above it.
fn heights(steps: &[Step], held: &[Held]) -> (Vec<Thread>, Vec<usize>) {
    let acts = |thread: &Thread| steps.iter().any(|step| step.thread == *thread);
    let threads: Vec<Thread> = [Thread::A, Thread::B].into_iter().filter(acts).collect();
    let above = |thread: Thread| {
        let rows = held.iter().filter(|held| held.thread == thread).map(|held| held.depth + 1).max();
        rows.map_or(ABOVE, |rows| ABOVE + 10 + rows * BAR_GAP)
    };
    let mut heights: Vec<usize> = Vec::new();
    for thread in &threads {
        let y = heights.last().map_or(above(*thread), |last| last + (BELOW + above(*thread)).max(LANE));
        heights.push(y);
    }
    (threads, heights)
}

fn x(half_steps: usize) -> usize {
    LEFT + STEP / 2 + half_steps * STEP / 2
}

fn lane(thread: Thread, y: usize, steps: &[Step]) -> Lane {
    let own = |step: &Step| step.thread == thread;
    let (first, last) = (steps.iter().position(own).unwrap_or(0), steps.iter().rposition(own).unwrap_or(0));
    Lane { name: thread_name(thread), y, from: x(first * 2), to: x(last * 2) }
}

fn dots(finding: &Finding, spots: &[(usize, usize)]) -> Vec<Dot> {
    let is_primary = |step: &Step| step.thread == Thread::A && step.place == finding.primary;
    let primary = finding.trace.iter().rposition(is_primary);
    let steps = finding.trace.iter().enumerate().zip(spots);
    let dot = |((index, step), (x, y)): ((usize, &Step), &(usize, usize))| Dot {
        number: index + 1,
        x: *x,
        y: *y,
        verb: if is_in_vain(finding, index) { "wants" } else { verb(step.step) },
        title: format!("({}) {}", index + 1, step.text),
        primary: primary == Some(index),
    };
    steps.map(dot).collect()
}

fn switches(steps: &[Step], spots: &[(usize, usize)]) -> Vec<Switch> {
    let pairs = steps.windows(2).zip(spots.windows(2)).filter(|(steps, _)| steps[0].thread != steps[1].thread);
    pairs.map(|(_, spots)| Switch { x1: spots[0].0, y1: spots[0].1, x2: spots[1].0, y2: spots[1].1 }).collect()
}

/// A name may stand over the gap behind its bar, as far as the next bar of that height.
fn bars(all: &[Held], end: usize, y: impl Fn(Thread) -> usize, class: &dyn Fn(&str) -> String) -> Vec<Bar> {
    let bar = |held: &Held| {
        let row = |other: &&Held| (other.thread, other.depth) == (held.thread, held.depth) && other.from > held.from;
        let next = all.iter().filter(row).map(|other| x(other.from) - CHARACTER).min().unwrap_or(end);
        Bar {
            x: x(held.from),
            y: y(held.thread) - 22 - held.depth * BAR_GAP - BAR / 2,
            width: x(held.to) - x(held.from),
            class: class(&held.name),
            name: held.name.clone(),
            label: cut(&held.name, (next - x(held.from)) / CHARACTER),
        }
    };
    all.iter().map(bar).collect()
}

fn cut(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    name.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}

/// From what the steps say. What was taken before the first step told is held from the first step of its thread; what
/// is never let go, to the end. A wait lets go, and the next step of the thread has it again.
fn held(finding: &Finding) -> Vec<Held> {
    let mut bars = Vec::new();
    for thread in [Thread::A, Thread::B] {
        let mut open: Vec<Held> = Vec::new();
        let mut since = None;
        for (index, step) in finding.trace.iter().enumerate().filter(|(_, step)| step.thread == thread) {
            let name = lock_named(finding, step);
            let begin = |from: usize, depth: usize| Held { thread, name: name.clone(), from, to: from, depth };
            match step.step {
                StepKind::Acquire if is_in_vain(finding, index) => {}
                StepKind::Acquire => open.push(begin(index * 2, open.len())),
                StepKind::Wait if finding.lint == "wait_holding_lock" => {}
                StepKind::Release | StepKind::Wait => {
                    let same = open.iter().rposition(|held| held.name == name);
                    let closed = same.or(open.len().checked_sub(1)).map(|at| open.remove(at));
                    let closed = closed.or_else(|| since.map(|from| begin(from, 0)));
                    bars.extend(closed.map(|held| Held { to: index * 2, ..held }));
                    since = None;
                    if step.step == StepKind::Wait {
                        open.push(begin(index * 2 + 1, open.len()));
                    }
                }
                StepKind::Read | StepKind::Write | StepKind::Branch if open.is_empty() => {
                    since = since.or(Some(index * 2));
                }
                _ => {}
            }
        }
        let last = finding.trace.iter().rposition(|step| step.thread == thread).unwrap_or(0);
        bars.extend(open.into_iter().map(|held| Held { to: last * 2 + 1, ..held }));
    }
    bars.retain(|held| held.to > held.from);
    bars
}

/// Where threads stand still, what each wants last is what it does not get.
fn is_in_vain(finding: &Finding, index: usize) -> bool {
    let step = &finding.trace[index];
    let is_last = finding.trace[index + 1..].iter().all(|later| later.thread != step.thread);
    let stands_still = ["lock_order", "double_lock", "wait_holding_lock"].contains(&finding.lint.as_str());
    stands_still && is_last && step.step == StepKind::Acquire
}

/// A lock may be named in the step; if not, it is the one that the finding is about.
fn lock_named(finding: &Finding, step: &Step) -> String {
    let own = || finding.lock.as_ref().map_or("the lock", |lock| &lock.path);
    quoted(&step.text).unwrap_or_else(own).to_owned()
}

fn words(steps: &[Step]) -> String {
    let step = |(index, step): (usize, &Step)| format!("{}. {}: {}", index + 1, thread_name(step.thread), step.text);
    let steps: Vec<String> = steps.iter().enumerate().map(step).collect();
    format!("Schedule in {}. {}", super::prose::plural(steps.len(), "step"), steps.join(". "))
}

fn thread_name(thread: Thread) -> &'static str {
    match thread {
        Thread::A => "Thread A",
        Thread::B => "Thread B",
    }
}

fn verb(step: StepKind) -> &'static str {
    match step {
        StepKind::Acquire => "locks",
        StepKind::Read => "reads",
        StepKind::Branch => "decides",
        StepKind::Release => "unlocks",
        StepKind::Wait => "waits",
        StepKind::Suspend => "suspends",
        StepKind::Write => "writes",
        StepKind::Use => "uses",
        StepKind::Call => "calls",
    }
}

#[cfg(test)]
mod tests;
