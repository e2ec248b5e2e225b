//! What follows `?`: every name known, none twice, every number in its range. What is published in the API's
//! description is what holds here.

use std::ops::RangeInclusive;

use axum::extract::Query as Pairs;
use axum::http::Uri;

use super::error::Problem;
use switchboard_runtime::nearest;

/// The largest number that JSON readers of every language keep exact.
pub(super) const MAX_NUMBER: u64 = (1 << 53) - 1;

/// The parameters of one request.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads them; `known` are the names there are.
    ///
    /// # Errors
    /// For an unknown name, and for one that stands twice.
    pub(super) fn of(uri: &Uri, known: &[&str]) -> Result<Self, Problem> {
        let Pairs(pairs) = Pairs::<Vec<(String, String)>>::try_from_uri(uri)
            .map_err(|error| Problem::bad_request("query", error.to_string()))?;
        for (at, (name, _)) in pairs.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                return Err(unknown(name, known));
            }
            if pairs[..at].iter().any(|(earlier, _)| earlier == name) {
                return Err(Problem::bad_request(name, format!("\"{name}\" appears twice")).suggest("send it once"));
            }
        }
        Ok(Self(pairs))
    }

    /// A whole number, if the name is there.
    ///
    /// # Errors
    /// When it is no number, or outside `range`.
    pub(super) fn number(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Problem> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if digits && range.contains(&number) => Ok(Some(number)),
            _ => {
                let shown: String = text.chars().take(40).collect();
                let (least, most) = (range.start(), range.end());
                Err(Problem::bad_request(name, format!("\"{shown}\" is not a whole number from {least} to {most}"))
                    .suggest("send such a number, or leave the parameter out"))
            }
        }
    }

    /// What was written behind the name, if it is there.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, text)| text.as_str())
    }
}

fn unknown(name: &str, known: &[&str]) -> Problem {
    let shown: String = name.chars().take(40).collect();
    let problem = Problem::bad_request(&shown, format!("there is no parameter \"{shown}\" here"));
    match (nearest(name, known.iter().copied(), 1).first(), known) {
        (Some(near), _) => problem.suggest(format!("did you mean \"{near}\"?")),
        (None, []) => problem.suggest("this address takes no parameters"),
        (None, _) => problem.suggest(format!("it takes {}", known.join(", "))),
    }
}
