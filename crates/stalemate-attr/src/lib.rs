//! Attributes for people's own code. Each leaves the item as it is and adds a mark that only Stalemate's driver reads: an
//! attribute of a tool that rustc knows and does not ask. So they cost nothing at run time, and need no feature and no
//! nightly compiler.
//!
//! Written with the compiler's own token streams alone: a parser would cost every user seconds of compile time.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The function is meant to be atomic: whatever other threads do meanwhile, it does the same as if it ran alone.
///
/// The lint `not_atomic` reports it if it is not, with the step that breaks it.
///
/// ```
/// use stalemate_attr::atomic;
/// use std::sync::Mutex;
///
/// struct Account { balance: Mutex<u64> }
///
/// impl Account {
///     #[atomic]
///     fn deposit(&self, amount: u64) {
///         *self.balance.lock().unwrap() += amount;
///     }
/// }
/// ```
///
/// It stands on functions and methods, and takes no arguments:
///
/// ```compile_fail
/// #[stalemate_attr::atomic]
/// struct Account;
/// ```
#[proc_macro_attribute]
pub fn atomic(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(argument) = arguments.into_iter().next() {
        return refused(argument.span(), "`#[atomic]` takes no arguments", item);
    }
    match other_than_function(item.clone()) {
        Some(at) => refused(at, "`#[atomic]` says something of a function: put it on a `fn`", item),
        None => marked("stalemate_atomic", TokenStream::new(), item),
    }
}

/// What Stalemate finds in the function does no harm, for the reason that is given.
///
/// Findings are still in the report for machines, as accepted, with the reason.
///
/// ```
/// use stalemate_attr::benign;
/// use std::sync::Mutex;
///
/// #[benign(reason = "only the main thread calls it")]
/// fn bump(count: &Mutex<u32>) {
///     let before = *count.lock().unwrap();
///     *count.lock().unwrap() = before + 1;
/// }
/// ```
///
/// A reason has to be given:
///
/// ```compile_fail
/// #[stalemate_attr::benign]
/// fn bump() {}
/// ```
#[proc_macro_attribute]
pub fn benign(arguments: TokenStream, item: TokenStream) -> TokenStream {
    const EXPECTED: &str = "say why it does no harm: `#[benign(reason = \"..\")]`";
    if let Err(at) = reason_in(arguments.clone()) {
        return refused(at, EXPECTED, item);
    }
    match other_than_function(item.clone()) {
        Some(at) => refused(at, "`#[benign]` says something of a function: put it on a `fn`", item),
        None => marked("stalemate_benign", arguments, item),
    }
}

/// `reason = "something"`, or where it is not.
fn reason_in(arguments: TokenStream) -> Result<(), Span> {
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
fn other_than_function(item: TokenStream) -> Option<Span> {
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
fn marked(mark: &str, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let here = Span::call_site();
    let word = |text: &str| TokenTree::Ident(Ident::new(text, here));
    let colon = |spacing| TokenTree::Punct(Punct::new(':', spacing));
    let path = [word("rust_analyzer"), colon(Spacing::Joint), colon(Spacing::Alone), word(mark)];
    let given = (!arguments.is_empty()).then(|| TokenTree::Group(Group::new(Delimiter::Parenthesis, arguments)));
    let group = TokenTree::Group(Group::new(Delimiter::Bracket, path.into_iter().chain(given).collect()));
    [TokenTree::Punct(Punct::new('#', Spacing::Alone)), group].into_iter().chain(item).collect()
}

/// A compile error at the place, and the item, so that nothing else is missing because of it.
fn refused(at: Span, message: &str, item: TokenStream) -> TokenStream {
    let text = TokenTree::Literal(Literal::string(message));
    let mut arguments = Group::new(Delimiter::Brace, text.into());
    arguments.set_span(at);
    let mut bang = Punct::new('!', Spacing::Alone);
    bang.set_span(at);
    let error =
        [TokenTree::Ident(Ident::new("compile_error", at)), TokenTree::Punct(bang), TokenTree::Group(arguments)];
    error.into_iter().chain(item).collect()
}
