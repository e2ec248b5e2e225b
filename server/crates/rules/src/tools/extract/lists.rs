//! Several pieces of one kind beside each other: `3, 4 and 5`, `Berlin, Paris and Rome`.

use std::ops::Range;

use serde_json::Value;

use super::assign::{Filling, SURE};
use super::check;
use super::fit::{around, kind};
use super::mention::{Mention, Piece};
use super::param::{Param, Takes};
use super::request::Request;
use super::value::value;

/// Whether two pieces may stand in one list.
pub(super) fn same_kind(one: &Piece, other: &Piece) -> bool {
    let kind = |piece: &Piece| match piece {
        Piece::Number(_) => 0,
        Piece::Quoted => 1,
        Piece::Date(_) => 2,
        Piece::Time(_) => 3,
        Piece::Url => 4,
        Piece::Email => 5,
        Piece::Path => 6,
        Piece::Name | Piece::Phrase => 7,
        Piece::Code => 11,
        Piece::Place => 8,
        Piece::Reference => 9,
        Piece::Json(_) => 10,
        Piece::Earlier => 12,
    };
    kind(one) == kind(other)
}

/// The lists of two and more among the pieces, as their places in `mentions`. The pieces are in order and do not overlap.
pub(super) fn runs(request: &Request, mentions: &[Mention]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for place in 0..mentions.len() {
        let joins = run.last().is_some_and(|&last| {
            same_kind(&mentions[last].piece, &mentions[place].piece)
                && joined(request, &mentions[last], &mentions[place])
        });
        if !joins {
            if run.len() > 1 {
                runs.push(std::mem::take(&mut run));
            }
            run.clear();
        }
        run.push(place);
    }
    if run.len() > 1 {
        runs.push(run);
    }
    runs
}

/// Whether only commas, `and` and the like stand between two pieces.
fn joined(request: &Request, one: &Mention, other: &Mention) -> bool {
    let mut marks = 0;
    for place in one.to..other.from {
        let joins = request.is_mark(place, ",;)") || request.is(place, &["and", "or", "&", "vs", "versus", "then"]);
        let fills = request.is(place, &["the", "a", "an", "at", "in", "for", "on", "to", "of", "also"])
            || unit_between(request, one, place);
        if !joins && !fills {
            return false;
        }
        marks += usize::from(joins);
    }
    marks > 0
}

/// The unit behind a number is no word between.
fn unit_between(request: &Request, one: &Mention, place: usize) -> bool {
    let Piece::Number(number) = &one.piece else { return false };
    place == one.to && number.unit.as_deref() == request.token(place).map(|token| token.lower.as_str())
}

impl Filling<'_, '_> {
    /// Lists: the run of pieces that suits best.
    pub(super) fn lists(&mut self) {
        for place in 0..self.params.len() {
            let param = &self.params[place];
            if param.takes != Takes::List || self.has(place) {
                continue;
            }
            let items = param.schema.get("items").unwrap_or(&Value::Null);
            let item = Param::new(param.name, items, param.required);
            let item = Param {
                wants: param.wants,
                about: param.about.clone(),
                notes: param.notes.clone(),
                codes: Vec::new(),
                examples: Vec::new(),
                ..item
            };
            if item.takes == Takes::Object {
                continue;
            }
            if let Some((values, span)) = self.best_list(place, &item) {
                self.take(place, Value::Array(values), None, span);
            }
        }
    }

    fn best_list(&self, place: usize, item: &Param<'_>) -> Option<(Vec<Value>, Range<usize>)> {
        let param = &self.params[place];
        let mut best: Option<(f64, Vec<Value>, Range<usize>)> = None;
        let mut offer = |worth: f64, values: Vec<Value>, span: Range<usize>| {
            if best.as_ref().is_none_or(|(most, ..)| worth > *most) {
                best = Some((worth, values, span));
            }
        };
        let free: Vec<Mention> = self.disjoint();
        let whole = free.iter().filter(|mention| matches!(&mention.piece, Piece::Json(json) if json.is_array()));
        for mention in whole.filter(|mention| self.is_free(mention)) {
            if let Piece::Json(Value::Array(values)) = &mention.piece {
                let worth = 4.0 + around(self.request, &self.range, param, mention, self.params);
                if check::takes(param.schema, &Value::Array(values.clone())) {
                    offer(worth, values.clone(), mention.from..mention.to);
                }
            }
        }
        let mut runs = runs(self.request, &free);
        if param.required && !self.strict {
            runs.extend((0..free.len()).map(|place| vec![place]));
        }
        for run in runs {
            let values: Option<Vec<Value>> = run
                .iter()
                .map(|&at| {
                    kind(item, item.takes, &free[at]).filter(|worth| *worth > 0.0)?;
                    if !self.may_take(item, &free[at], around(self.request, &self.range, param, &free[at], self.params))
                    {
                        return None;
                    }
                    value(self.request, item, item.takes, &free[at])
                })
                .collect();
            let (Some(values), first, last) = (values, &free[run[0]], &free[run[run.len() - 1]]) else { continue };
            let joined = Mention { piece: first.piece.clone(), from: first.from, to: last.to, text: String::new() };
            if !self.is_free(&joined) || !values.iter().all(|value| check::takes(item.schema, value)) {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "a few items")]
            let length = (run.len().min(6) as f64).ln();
            let worth = around(self.request, &self.range, param, &joined, self.params)
                + length
                + kind(item, item.takes, first).unwrap_or(0.0);
            if param.required || worth >= SURE {
                offer(worth, values, joined.from..joined.to);
            }
        }
        best.map(|(_, values, span)| (values, span))
    }

    /// The pieces without those that overlap: the longest reading of each place, phrases where nothing else is.
    pub(super) fn disjoint(&self) -> Vec<Mention> {
        let rank = |mention: &Mention| match mention.piece {
            Piece::Place => 2,
            Piece::Phrase => 1,
            _ => 0,
        };
        let mut ordered: Vec<&Mention> = self.mentions.iter().collect();
        ordered.sort_by_key(|mention| rank(mention));
        let mut taken = vec![false; self.request.tokens.len()];
        let mut free: Vec<Mention> = Vec::new();
        for mention in ordered {
            if !taken[mention.from..mention.to].contains(&true) {
                taken[mention.from..mention.to].iter_mut().for_each(|taken| *taken = true);
                free.push(mention.clone());
            }
        }
        free.sort_by_key(|mention| mention.from);
        free
    }
}
