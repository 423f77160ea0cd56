//! Items as tokens: what kind they are, their parameters, and the marks that are put on them.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// `reason = "something"`, or where it is not.
pub(crate) fn reason_in(arguments: TokenStream) -> Result<(), Span> {
    let mut tokens = arguments.into_iter();
    let mut next = |fits: &dyn Fn(&TokenTree) -> bool| match tokens.next() {
        Some(token) if fits(&token) => Ok(()),
        Some(token) => Err(token.span()),
        None => Err(Span::call_site()),
    };
    next(&|token| matches!(token, TokenTree::Ident(word) if word.to_string() == "reason"))?;
    next(&|token| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '='))?;
    next(
        &|token| matches!(token, TokenTree::Literal(text) if text.to_string().len() > 2 && text.to_string().ends_with('"')),
    )?;
    tokens.next().map_or(Ok(()), |rest| Err(rest.span()))
}

/// Where the item says that it is something else.
pub(crate) fn other_than_function(item: TokenStream) -> Option<Span> {
    let mut last = Span::call_site();
    for token in item {
        last = token.span();
        match &token {
            TokenTree::Ident(word) if word.to_string() == "fn" => return None,
            TokenTree::Ident(word) if is_other_item(&word.to_string()) => return Some(word.span()),
            _ => {}
        }
    }
    Some(last)
}

fn is_other_item(word: &str) -> bool {
    ["struct", "enum", "union", "trait", "impl", "mod", "static", "type", "use", "let"].contains(&word)
}

/// `#[rust_analyzer::<mark>(<arguments>)]`, and the item.
pub(crate) fn marked(mark: &str, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let here = Span::call_site();
    let word = |text: &str| TokenTree::Ident(Ident::new(text, here));
    let colon = |spacing| TokenTree::Punct(Punct::new(':', spacing));
    let path = [word("rust_analyzer"), colon(Spacing::Joint), colon(Spacing::Alone), word(mark)];
    let given = (!arguments.is_empty()).then(|| TokenTree::Group(Group::new(Delimiter::Parenthesis, arguments)));
    let group = TokenTree::Group(Group::new(Delimiter::Bracket, path.into_iter().chain(given).collect()));
    [TokenTree::Punct(Punct::new('#', Spacing::Alone)), group].into_iter().chain(item).collect()
}

/// A compile error at the place, and the item, so that nothing else is missing because of it.
pub(crate) fn refused(at: Span, message: &str, item: TokenStream) -> TokenStream {
    error(at, message).into_iter().chain(item).collect()
}

/// `compile_error! { .. }` at the place.
pub(crate) fn error(at: Span, message: &str) -> TokenStream {
    let text = TokenTree::Literal(Literal::string(message));
    let mut arguments = Group::new(Delimiter::Brace, text.into());
    arguments.set_span(at);
    let mut bang = Punct::new('!', Spacing::Alone);
    bang.set_span(at);
    [TokenTree::Ident(Ident::new("compile_error", at)), TokenTree::Punct(bang), TokenTree::Group(arguments)]
        .into_iter()
        .collect()
}

/// The names of a function's parameters, `self` among them. Patterns have none.
pub(crate) fn parameters(function: TokenStream) -> Vec<String> {
    let after_fn = function.into_iter().skip_while(|token| !is_word(token, "fn"));
    let list = after_fn.filter_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group.stream()),
        _ => None,
    });
    let list: Vec<TokenTree> = list.take(1).flatten().collect();
    list.split(|token| is_sign(token, ',')).filter_map(parameter).collect()
}

/// `name: Type`, `mut name: Type`, `self`, `&mut self`, `self: Arc<Self>`. A comma within a type makes parts that are none.
fn parameter(tokens: &[TokenTree]) -> Option<String> {
    let is_self = tokens.last().is_some_and(|last| is_word(last, "self"));
    named(tokens).map(|(name, _)| name.to_string()).or_else(|| is_self.then(|| "self".to_owned()))
}

/// The name before the colon of `name: Type`, and what stands before it.
pub(crate) fn named(tokens: &[TokenTree]) -> Option<(&Ident, &[TokenTree])> {
    let alone = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.spacing() == Spacing::Alone);
    tokens.windows(2).enumerate().find_map(|(at, pair)| match pair {
        [TokenTree::Ident(name), colon] if is_sign(colon, ':') && alone(colon) => Some((name, &tokens[..at])),
        _ => None,
    })
}

pub(crate) fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(it) if it.to_string() == word)
}

pub(crate) fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == sign)
}
