//! Numbers as cells and questions write them: `1,234.50`, `$5,200`, `(12.00)`, `1.234,5`, `16GB`, `20%`.

/// A number and what stands around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Number {
    pub(crate) value: f64,
    /// Digits behind the point.
    pub(crate) decimals: usize,
    /// A sign of money.
    pub(crate) sign: Option<char>,
    /// What follows it: `GB`, `%`, `ms`, or nothing.
    pub(crate) unit: String,
}

/// How a column writes its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Style {
    /// `1,234.5`
    #[default]
    Point,
    /// `1.234,5`
    Comma,
}

/// Digits beyond these are not exact.
const MAX_DIGITS: usize = 15;

const MAX_UNIT: usize = 6;

pub(crate) fn is_sign(letter: char) -> bool {
    matches!(letter, '$' | '€' | '£' | '¥' | '₹')
}

impl Number {
    /// The number of a text that is nothing else.
    pub(crate) fn parse(text: &str, style: Style) -> Option<Self> {
        let text = text.trim();
        let (text, negative) = match text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            Some(inner) => (inner.trim(), true),
            None => (text, false),
        };
        let (text, before) = signs(text);
        let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(text.len());
        let (digits, exponent, rest) = with_exponent(text, end);
        let rest = rest.trim();
        let (unit, behind) = match rest.chars().next() {
            Some(sign) if is_sign(sign) && rest.chars().count() == 1 => ("", Some(sign)),
            _ => (rest, None),
        };
        let fits = unit.chars().count() <= MAX_UNIT && unit.chars().all(|c| c.is_alphabetic() || c == '%');
        if !fits || (before.money.is_some() && behind.is_some()) {
            return None;
        }
        let (plain, decimals) = plain(digits, style)?;
        let value = format!("{plain}{exponent}").parse::<f64>().ok().filter(|value| value.is_finite())?;
        let value = if negative || before.negative { -value } else { value };
        Some(Self { value, decimals, sign: before.money.or(behind), unit: unit.to_owned() })
    }

    /// Whether it is whole, in writing too.
    pub(crate) fn is_whole(&self) -> bool {
        self.decimals == 0 && self.value.fract() == 0.0 && self.value.abs() < 1e15
    }
}

/// The style of a column: a comma before anything but three digits is a decimal comma.
pub(crate) fn style_of<'a>(cells: impl Iterator<Item = &'a str>) -> Style {
    for cell in cells {
        let digits = cell.trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits: String = digits.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).collect();
        match (digits.rfind(','), digits.rfind('.')) {
            (Some(comma), Some(point)) => return if comma > point { Style::Comma } else { Style::Point },
            (Some(comma), None) if digits.matches(',').count() == 1 && digits.len() - comma != 4 => {
                return Style::Comma;
            }
            _ => {}
        }
    }
    Style::Point
}

#[derive(Default)]
struct Before {
    negative: bool,
    money: Option<char>,
}

fn signs(text: &str) -> (&str, Before) {
    let mut before = Before::default();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        match letter {
            '-' | '−' if !before.negative => before.negative = true,
            '+' => {}
            _ if is_sign(letter) && before.money.is_none() => before.money = Some(letter),
            _ => break,
        }
        rest = rest[letter.len_utf8()..].trim_start();
    }
    (rest, before)
}

/// The digits, an exponent such as `e-5`, and what follows.
fn with_exponent(text: &str, end: usize) -> (&str, &str, &str) {
    let rest = &text[end..];
    let bytes = rest.as_bytes();
    if !matches!(bytes.first(), Some(b'e' | b'E')) {
        return (&text[..end], "", rest);
    }
    let sign = usize::from(matches!(bytes.get(1), Some(b'-' | b'+')));
    let digits = bytes[1 + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    match digits {
        1..=3 => (&text[..end], &rest[..1 + sign + digits], &rest[1 + sign + digits..]),
        _ => (&text[..end], "", rest),
    }
}

/// The digits without grouping and with a point, and how many stand behind it.
fn plain(digits: &str, style: Style) -> Option<(String, usize)> {
    let (group, point) = match style {
        Style::Point => (',', '.'),
        Style::Comma => ('.', ','),
    };
    let (whole, fraction) = digits.split_once(point).unwrap_or((digits, ""));
    let groups: Vec<&str> = whole.split(group).collect();
    let grouped = groups.len() == 1 || groups[1..].iter().all(|part| part.len() == 3) && groups[0].len() <= 3;
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let sound = grouped && groups.iter().all(|part| is_digits(part)) && is_digits(fraction);
    let all: usize = groups.iter().map(|part| part.len()).sum::<usize>() + fraction.len();
    if !sound || all == 0 || all > MAX_DIGITS || (groups.len() > 1 && groups[0].is_empty()) {
        return None;
    }
    let whole = groups.concat();
    let whole = if whole.is_empty() { "0" } else { &whole };
    Some((format!("{whole}.{fraction}0"), fraction.len()))
}
