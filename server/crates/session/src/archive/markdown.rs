//! Replies as HTML for a page that is sent around: paragraphs, headings, lists, tables, code, and a few marks within lines.
//! Whatever it does not know stays as it was written. Every letter goes through [`escaped`], and the only addresses are
//! `http` and `https`: nothing in a reply can become markup.

use std::fmt::Write as _;

/// How deep quotes and lists are taken apart; what is deeper is text.
const DEPTH: usize = 4;

/// Text for an element or an attribute in double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(letter),
            // What cannot be seen, or turns text around so that it looks like another.
            _ if letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {
                safe.push('\u{fffd}');
            }
            _ => safe.push(letter),
        }
    }
    safe
}

/// The reply.
pub(super) fn to_html(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut html = String::with_capacity(text.len() * 2);
    blocks(&lines, &mut html, 0);
    html
}

fn blocks(lines: &[&str], html: &mut String, depth: usize) {
    let mut rest = lines;
    while let Some(line) = rest.first() {
        let taken = match kind(line, rest.get(1).copied(), depth) {
            Kind::Blank => 1,
            Kind::Fence => fence(rest, html),
            Kind::Heading(level, words) => {
                let _ = write!(html, "<h{level}>{}</h{level}>", inline(words), level = (level + 2).min(6));
                1
            }
            Kind::Table => table(rest, html),
            Kind::Quote => quote(rest, html, depth),
            Kind::Item(tag) => list(rest, html, tag, depth),
            Kind::Text => paragraph(rest, html, depth),
        };
        rest = &rest[taken..];
    }
}

enum Kind<'a> {
    Blank,
    Fence,
    Heading(usize, &'a str),
    Table,
    Quote,
    Item(&'static str),
    Text,
}

fn kind<'a>(line: &'a str, next: Option<&str>, depth: usize) -> Kind<'a> {
    let text = line.trim_start();
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let rule =
        |line: &str| line.contains('-') && line.contains('|') && line.chars().all(|letter| "|-: ".contains(letter));
    if text.is_empty() {
        Kind::Blank
    } else if text.starts_with("```") {
        Kind::Fence
    } else if (1..=6).contains(&level) && text[level..].starts_with(' ') {
        Kind::Heading(level, text[level..].trim())
    } else if text.contains('|') && next.is_some_and(rule) {
        Kind::Table
    } else if depth < DEPTH && text.starts_with('>') {
        Kind::Quote
    } else if depth < DEPTH {
        marker(line).map_or(Kind::Text, |(tag, _)| Kind::Item(tag))
    } else {
        Kind::Text
    }
}

/// A list's kind, and where the text of its item begins.
fn marker(line: &str) -> Option<(&'static str, usize)> {
    let indent = line.len() - line.trim_start().len();
    let text = &line[indent..];
    if ["- ", "* ", "+ "].iter().any(|mark| text.starts_with(mark)) {
        return Some(("ul", indent + 2));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = text.get(digits..digits + 2)?;
    ((1..10).contains(&digits) && (after == ". " || after == ") ")).then_some(("ol", indent + digits + 2))
}

fn fence(lines: &[&str], html: &mut String) -> usize {
    let body = &lines[1..];
    // What quotes a fence has a longer one.
    let ticks = |line: &str| line.trim_start().bytes().take_while(|byte| *byte == b'`').count();
    let closes = |line: &&str| ticks(line) >= ticks(lines[0]) && line.trim().bytes().all(|byte| byte == b'`');
    let end = body.iter().position(closes).unwrap_or(body.len());
    let _ = write!(html, "<pre tabindex=\"0\"><code>{}</code></pre>", escaped(&body[..end].join("\n")));
    (end + 2).min(lines.len())
}

fn table(lines: &[&str], html: &mut String) -> usize {
    let cells = |line: &str, tag: &str| {
        let line = line.trim();
        let inner = line.strip_prefix('|').unwrap_or(line);
        let inner = inner.strip_suffix('|').unwrap_or(inner);
        let cells = split_cells(inner).into_iter().map(|cell| format!("<{tag}>{}</{tag}>", inline(cell.trim())));
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let rows = lines[2..].iter().take_while(|line| line.contains('|')).count();
    let body: String = lines[2..2 + rows].iter().map(|line| cells(line, "td")).collect();
    let head = cells(lines[0], "th");
    let _ = write!(
        html,
        "<div class=\"table\" tabindex=\"0\"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>"
    );
    2 + rows
}

/// At each `|` that no backslash stands before.
fn split_cells(row: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let (mut begin, mut escaped) = (0, false);
    for (at, byte) in row.bytes().enumerate() {
        if byte == b'|' && !escaped {
            cells.push(&row[begin..at]);
            begin = at + 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    cells.push(&row[begin..]);
    cells
}

fn quote(lines: &[&str], html: &mut String, depth: usize) -> usize {
    let count = lines.iter().take_while(|line| line.trim_start().starts_with('>')).count();
    let inner: Vec<&str> = lines[..count].iter().map(|line| line.trim_start()[1..].trim_start()).collect();
    html.push_str("<blockquote>");
    blocks(&inner, html, depth + 1);
    html.push_str("</blockquote>");
    count
}

/// Items of one kind; what is indented below one belongs to it.
fn list(lines: &[&str], html: &mut String, tag: &'static str, depth: usize) -> usize {
    let outer = indent(lines[0]);
    let mut taken = 0;
    let _ = write!(html, "<{tag}>");
    while let Some((found, begin)) = lines.get(taken).and_then(|line| marker(line)) {
        if found != tag || indent(lines[taken]) != outer {
            break;
        }
        let first = &lines[taken][begin..];
        let below =
            lines[taken + 1..].iter().take_while(|line| !line.trim().is_empty() && indent(line) > outer).count();
        let _ = write!(html, "<li>{}", inline(first));
        blocks(&lines[taken + 1..taken + 1 + below], html, depth + 1);
        html.push_str("</li>");
        taken += 1 + below;
    }
    let _ = write!(html, "</{tag}>");
    taken.max(1)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn paragraph(lines: &[&str], html: &mut String, depth: usize) -> usize {
    let goes_on = |at: usize| matches!(kind(lines[at], lines.get(at + 1).copied(), depth), Kind::Text);
    let count = (1..lines.len()).find(|at| !goes_on(*at)).unwrap_or(lines.len());
    let text: Vec<String> = lines[..count].iter().map(|line| inline(line.trim())).collect();
    let _ = write!(html, "<p>{}</p>", text.join("<br>"));
    count
}

/// Code, bold text, addresses and escapes within a line.
fn inline(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', 'h', '\\', '&']) {
        html.push_str(&escaped(&rest[..at]));
        rest = &rest[at..];
        let marks = [code, bold, address, literal];
        let (piece, length) = marks.iter().find_map(|mark| mark(rest)).unwrap_or_else(|| {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            (escaped(&rest[..length]), length)
        });
        html.push_str(&piece);
        rest = &rest[length..];
    }
    html + &escaped(rest)
}

/// A letter that is no mark, because of the backslash before it, and the one letter that replies write by its name.
fn literal(text: &str) -> Option<(String, usize)> {
    if text.starts_with("&lt;") {
        return Some((escaped("<"), 4));
    }
    let letter = text.strip_prefix('\\')?.chars().next().filter(char::is_ascii_punctuation)?;
    Some((escaped(&letter.to_string()), 1 + letter.len_utf8()))
}

fn code(text: &str) -> Option<(String, usize)> {
    let inner = text.strip_prefix('`')?;
    let end = inner.find('`').filter(|end| *end > 0)?;
    Some((format!("<code>{}</code>", escaped(&inner[..end])), end + 2))
}

fn bold(text: &str) -> Option<(String, usize)> {
    let inner = text.strip_prefix("**")?;
    let end = inner.find("**").filter(|end| *end > 0)?;
    Some((format!("<strong>{}</strong>", inline(&inner[..end])), end + 4))
}

fn address(text: &str) -> Option<(String, usize)> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let end = text.find(|letter: char| letter.is_whitespace() || "<>\"'`)]|*".contains(letter)).unwrap_or(text.len());
    let shown = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    if shown.len() == scheme.len() {
        return None;
    }
    let safe = escaped(shown);
    Some((format!("<a href=\"{safe}\" rel=\"noopener noreferrer nofollow\">{safe}</a>"), shown.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_look_as_they_were_written() {
        for (text, html) in [
            ("a **b** `c`", "<p>a <strong>b</strong> <code>c</code></p>"),
            ("one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"),
            ("# Title\ntext", "<h3>Title</h3><p>text</p>"),
            ("- a\n- b\n  - c\n1. d", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol><li>d</li></ol>"),
            (
                "```rust\nlet a = \"<b>\";\n```\nx",
                "<pre tabindex=\"0\"><code>let a = &quot;&lt;b&gt;&quot;;</code></pre><p>x</p>",
            ),
            ("> said\n> so", "<blockquote><p>said<br>so</p></blockquote>"),
            (
                "| a | b |\n|---|---|\n| 1 | `2` |",
                "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td>\
                 <td><code>2</code></td></tr></tbody></table></div>",
            ),
            (
                "see https://example.org/a?b=1&c=2.",
                "<p>see <a href=\"https://example.org/a?b=1&amp;c=2\" rel=\"noopener noreferrer nofollow\">\
                 https://example.org/a?b=1&amp;c=2</a>.</p>",
            ),
            ("2 * 3 ** 4 and `open", "<p>2 * 3 ** 4 and `open</p>"),
            ("````text\n```rust\nx\n```\n````\ny", "<pre tabindex=\"0\"><code>```rust\nx\n```</code></pre><p>y</p>"),
            (
                "| a \\| b \\* |\n|---|\n| &lt;c \\[d\\] | |",
                "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>a | b *</th></tr></thead><tbody><tr><td>&lt;c [d]</td>\
                 <td></td></tr></tbody></table></div>",
            ),
            ("my\\_file, C:\\temp & \\<b>", "<p>my_file, C:\\temp &amp; &lt;b&gt;</p>"),
            ("```\nnever closed", "<pre tabindex=\"0\"><code>never closed</code></pre>"),
        ] {
            assert_eq!(to_html(text), html, "{text}");
        }
    }

    #[test]
    fn nothing_becomes_markup() {
        for text in [
            "<script>alert(1)</script>",
            "[x](javascript:alert(1))",
            "![x](http://evil/\"onerror=alert(1))",
            "https://a/\"onmouseover=alert(1)",
            "`<img src=x onerror=alert(1)>`",
            "**<b onclick=x>**",
            "| <i> |\n|---|\n| <svg/onload=x> |",
            "```\n</code></pre><script>\n```",
            "&lt;script&gt;",
            "> <iframe srcdoc='x'>",
        ] {
            let html = to_html(text);
            let tags: Vec<&str> =
                html.split('<').skip(1).map(|tag| tag.split(['>', ' ']).next().unwrap_or_default()).collect();
            let known = [
                "p",
                "br",
                "code",
                "pre",
                "strong",
                "div",
                "table",
                "thead",
                "tbody",
                "tr",
                "th",
                "td",
                "a",
                "blockquote",
            ];
            assert!(tags.iter().all(|tag| known.contains(&tag.trim_start_matches('/'))), "{text}: {html}");
            assert!(!html.contains("href=\"javascript") && !html.contains("\"onmouse"), "{text}: {html}");
        }
    }

    #[test]
    fn deep_and_odd_text_ends() {
        for text in
            [">".repeat(10_000), "- ".repeat(5_000), "*".repeat(10_000), "`".repeat(9_999), "|\n|-|\n".repeat(2_000)]
        {
            assert!(!to_html(&text).is_empty());
        }
        assert_eq!(escaped("a\u{202e}b\u{0}"), "a\u{fffd}b\u{fffd}");
    }
}
