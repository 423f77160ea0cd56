//! Ways to locks, as people write them: `order`, `self.inner.order`, `crate::ORDER`.

use crate::items::is_sign;
use proc_macro::{Ident, Span, TokenStream, TokenTree};

/// What is wrong, and where.
pub(crate) struct Mistake {
    pub(crate) at: Span,
    pub(crate) message: String,
}

/// The way to one lock.
pub(crate) enum Way {
    /// Names with dots between them.
    Fields(Vec<Ident>),
    /// Names with `::` between them, or one in capitals.
    Static,
}

/// What was said instead of a way.
const EXPECTED: &str = "a lock is named by the way to it: fields with dots between them (`inner.order`), or the path of a \
                        static (`crate::ORDER`)";

impl Way {
    pub(crate) fn parse(tokens: &[TokenTree]) -> Result<Way, Mistake> {
        let wrong = |at: Span| Mistake { at, message: EXPECTED.to_owned() };
        let mut names = Vec::new();
        let (mut dots, mut colons) = (0, 0);
        let mut name_follows = true;
        for token in tokens {
            match token {
                TokenTree::Ident(name) if name_follows => {
                    names.push(name.clone());
                    name_follows = false;
                }
                TokenTree::Punct(_) if is_sign(token, '.') && !name_follows => {
                    dots += 1;
                    name_follows = true;
                }
                TokenTree::Punct(_) if is_sign(token, ':') => {
                    colons += 1;
                    name_follows = true;
                }
                other => return Err(wrong(other.span())),
            }
        }
        let Some(last) = tokens.last().filter(|_| !name_follows && (dots == 0 || colons == 0)) else {
            return Err(wrong(tokens.last().map_or_else(Span::call_site, TokenTree::span)));
        };
        let in_capitals = names.len() == 1 && last.to_string().chars().all(|it| !it.is_lowercase());
        Ok(if colons > 0 || in_capitals { Way::Static } else { Way::Fields(names) })
    }
}

/// The arguments of `#[requires(..)]`, for a function with these parameters.
pub(crate) fn required(arguments: TokenStream, parameters: &[String]) -> Result<(), Mistake> {
    let tokens: Vec<TokenTree> = arguments.into_iter().collect();
    for tokens in tokens.split(|token| is_sign(token, ',')) {
        let Way::Fields(names) = Way::parse(tokens)? else { continue };
        let Some(first) = names.first().filter(|first| !parameters.contains(&first.to_string())) else { continue };
        let known: Vec<String> = parameters.iter().map(|name| format!("`{name}`")).collect();
        let known = if known.is_empty() { "which it has none of".to_owned() } else { known.join(", ") };
        let message = format!(
            "the function has no `{first}`: the way to the lock starts at one of its parameters ({known}), or it is the path of a \
             static (`crate::ORDER`)"
        );
        return Err(Mistake { at: first.span(), message });
    }
    Ok(())
}
