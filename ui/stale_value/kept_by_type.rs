//! A lock behind a handle that protects one thing of each type: what layers of tracing keep for a span.
#![allow(dead_code)]

use tracing_subscriber::registry::{Registry, SpanRef};

#[derive(Default)]
struct Record {
    events: Vec<String>,
}

#[derive(Clone, Copy, Default)]
struct Timings {
    busy: u64,
}

struct Total(u64);

/// tracing-opentelemetry: an event of the same span on another thread finds nothing meanwhile, and is lost.
fn taken_and_put_back_bad(span: &SpanRef<'_, Registry>, event: &str) {
    let record = span.extensions_mut().remove::<Record>();
    if let Some(mut record) = record {
        record.events.push(event.to_owned());
        span.extensions_mut().replace(record); //~ stale_value
    }
}

fn changed_in_place_ok(span: &SpanRef<'_, Registry>, event: &str) {
    if let Some(record) = span.extensions_mut().get_mut::<Record>() {
        record.events.push(event.to_owned());
    }
}

fn under_one_guard_ok(span: &SpanRef<'_, Registry>, event: &str) {
    let mut extensions = span.extensions_mut();
    let record = extensions.remove::<Record>();
    if let Some(mut record) = record {
        record.events.push(event.to_owned());
        extensions.replace(record);
    }
}

fn copied_and_written_back_bad(span: &SpanRef<'_, Registry>, passed: u64) {
    let before = span.extensions().get::<Timings>().copied().unwrap_or_default();
    span.extensions_mut().replace(Timings { busy: before.busy + passed }); //~ stale_value
}

fn counted_in_place_ok(span: &SpanRef<'_, Registry>, passed: u64) {
    if let Some(timings) = span.extensions_mut().get_mut::<Timings>() {
        timings.busy += passed;
    }
}

/// What is written is another thing than what was read.
fn of_two_types_ok(span: &SpanRef<'_, Registry>) {
    let busy = span.extensions().get::<Timings>().map_or(0, |timings| timings.busy);
    span.extensions_mut().replace(Total(busy));
}

/// And of another span.
fn of_two_spans_ok(span: &SpanRef<'_, Registry>, parent: &SpanRef<'_, Registry>) {
    let inherited = parent.extensions().get::<Timings>().copied();
    if let Some(inherited) = inherited {
        span.extensions_mut().insert(inherited);
    }
}

/// tracing-tree: to insert one is to look whether there is one.
fn looked_up_and_inserted_ok(span: &SpanRef<'_, Registry>) {
    if span.extensions().get::<Record>().is_none() {
        span.extensions_mut().insert(Record::default());
    }
}

fn looked_up_and_replaced_bad(span: &SpanRef<'_, Registry>) {
    if span.extensions().get::<Record>().is_none() {
        span.extensions_mut().replace(Record::default()); //~ check_then_act
    }
}

/// Which type it is only its callers know.
fn of_any_type_ok<T: Default + Send + Sync + 'static>(span: &SpanRef<'_, Registry>) {
    let one = span.extensions_mut().remove::<T>();
    span.extensions_mut().replace(one.unwrap_or_default());
}
