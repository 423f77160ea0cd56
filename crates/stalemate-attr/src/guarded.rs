//! `#[derive(Guarded)]`: nothing but a check of the ways in `#[guarded_by(..)]`. The marks stay where they are.

use crate::items::{error, is_sign, is_word, named};
use crate::locks::{Mistake, Way};
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// One field: its name, and what its marks say.
struct Field {
    name: String,
    guards: Vec<Vec<TokenTree>>,
}

/// Empty, or what is wrong.
pub(crate) fn checked(item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    match check(&tokens) {
        Ok(()) => TokenStream::new(),
        Err(mistake) => error(mistake.at, &mistake.message),
    }
}

fn check(item: &[TokenTree]) -> Result<(), Mistake> {
    let keyword = item.iter().find(|token| ["struct", "enum", "union"].iter().any(|word| is_word(token, word)));
    if let Some(other) = keyword.filter(|token| !is_word(token, "struct")) {
        let message =
            "`#[derive(Guarded)]` stands on a struct: only there a lock can be beside what it guards".to_owned();
        return Err(Mistake { at: other.span(), message });
    }
    let body = item.iter().rev().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    });
    let Some(body) = body else {
        let message = "`#[derive(Guarded)]` needs fields with names: the lock is named by one".to_owned();
        return Err(Mistake { at: Span::call_site(), message });
    };
    let fields = fields(&body.into_iter().collect::<Vec<_>>());
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    for field in &fields {
        for guard in &field.guards {
            check_guard(guard, field, &names)?;
        }
    }
    Ok(())
}

fn check_guard(guard: &[TokenTree], field: &Field, names: &[&str]) -> Result<(), Mistake> {
    let Way::Fields(way) = Way::parse(guard)? else { return Ok(()) };
    let Some(first) = way.iter().find(|name| name.to_string() != "self") else {
        let message = "name the field that is the lock: `#[guarded_by(order)]`".to_owned();
        return Err(Mistake { at: way.first().map_or_else(Span::call_site, Ident::span), message });
    };
    let wrong = |message: String| Err(Mistake { at: first.span(), message });
    if *first.to_string() == field.name {
        return wrong(format!("`{first}` cannot guard itself: name another field, or a static (`crate::ORDER`)"));
    }
    if !names.contains(&first.to_string().as_str()) {
        let others: Vec<String> =
            names.iter().filter(|name| **name != field.name).map(|name| format!("`{name}`")).collect();
        let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
        return wrong(format!(
            "the struct has no field `{first}`: the way to the lock starts at one of its other fields{others}, or it is the path \
             of a static (`crate::ORDER`)"
        ));
    }
    Ok(())
}

/// Commas within angle brackets make parts that are no fields: they have no name before a colon.
fn fields(body: &[TokenTree]) -> Vec<Field> {
    body.split(|token| is_sign(token, ',')).filter_map(field).collect()
}

fn field(tokens: &[TokenTree]) -> Option<Field> {
    let (name, before) = named(tokens)?;
    let attributes = before.iter().filter_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
        _ => None,
    });
    let guards = attributes.filter_map(guard_in).collect();
    Some(Field { name: name.to_string(), guards })
}

/// What stands in the brackets of `guarded_by(..)`.
fn guard_in(attribute: TokenStream) -> Option<Vec<TokenTree>> {
    let mut tokens = attribute.into_iter();
    tokens.next().filter(|token| is_word(token, "guarded_by"))?;
    match tokens.next() {
        Some(TokenTree::Group(group)) => Some(group.stream().into_iter().collect()),
        _ => Some(Vec::new()),
    }
}
