//! The pages that a provider's own web search found, named under the reply that they are the sources of.

use crate::reply::ReplyStream;
use switchboard_llm::{FinishReason, LlmReply, WebSource};

/// Names the sources under a reply that does not name them itself; whoever hears the reply hears them too.
pub(in crate::reasoner) fn name_sources(reply: &mut LlmReply, stream: &ReplyStream) {
    let is_whole = matches!(reply.finish, FinishReason::Stop | FinishReason::Unknown);
    let missing: Vec<String> =
        reply.sources.iter().filter(|source| !reply.text.contains(&source.url)).map(link).collect();
    if !is_whole || missing.is_empty() || reply.text.trim().is_empty() {
        return;
    }
    let note = format!("\n\nSources:\n{}", missing.join("\n"));
    stream.text(&note);
    reply.text.push_str(&note);
}

/// A line of markdown. Names and addresses are from outside: nothing in them ends the link.
fn link(source: &WebSource) -> String {
    let title = if source.title.trim().is_empty() { &source.url } else { &source.title };
    let title: String = title.chars().filter(|sign| !matches!(sign, '[' | ']' | '`' | '<' | '>' | '\\')).collect();
    let url =
        source.url.replace('(', "%28").replace(')', "%29").replace(' ', "%20").replace('<', "%3C").replace('>', "%3E");
    format!("- [{}]({url})", title.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_an_address_does_not_end_its_link() {
        let source = |url: &str, title: &str| WebSource { url: url.to_owned(), title: title.to_owned() };
        let odd = source("https://example.com/a(b) c", "A ](https://evil.example) <b>");
        assert_eq!(link(&odd), "- [A (https://evil.example) b](https://example.com/a%28b%29%20c)");
        assert_eq!(link(&source("https://example.com/", "")), "- [https://example.com/](https://example.com/)");
    }
}
