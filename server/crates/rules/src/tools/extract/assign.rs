//! Which piece goes to which parameter: the best pair first, each piece once.

use std::ops::Range;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::enums::{Chosen, coded, examples, named};
use super::fit::{around, kind};
use super::flags::{flag, yes_and_no};
use super::meant::{called, meant};
use super::mention::{Mention, Piece};
use super::param::{Param, Takes, Wants};
use super::phrases::phrases;
use super::request::Request;
use super::value::value;
use super::{check, stems};
use crate::tools::heed::changes;
use switchboard_protocol::ToolDefinition;

/// An optional parameter is filled from here on.
pub(super) const SURE: f64 = 2.4;

/// What speaks for an optional parameter must be said beside the piece, not only by its kind.
pub(super) const SPOKEN: f64 = 0.7;

/// How many pieces of a request are looked at for a tool.
const MAX_MENTIONS: usize = 160;

/// How often parameters inside parameters are looked at.
const MAX_DEPTH: usize = 3;

/// A parameter with its value, and where it was found.
pub(super) struct Found {
    pub(super) param: usize,
    pub(super) value: Value,
    /// The piece's place in [`Filling::mentions`], when it was one.
    pub(super) mention: Option<usize>,
}

/// What a tool asks for, read once however many parts of a request it is held against.
pub(super) struct Form<'t> {
    params: Vec<Param<'t>>,
    /// What the tool says of itself.
    own: Vec<Rc<str>>,
    /// The same with the names of its parameters.
    words: Vec<Rc<str>>,
    /// A call may change something: what merely remains of a request is no value then.
    heedful: bool,
}

impl<'t> Form<'t> {
    pub(super) fn of(tool: &'t ToolDefinition) -> Self {
        Self::new(&tool.parameters, own_words(&tool.name, &tool.description), changes(tool))
    }

    fn new(schema: &'t Value, own: Vec<Rc<str>>, heedful: bool) -> Self {
        let mut params = Param::all(schema);
        if heedful {
            params.iter_mut().for_each(|param| param.wants = param.wanted(&own));
        }
        let mut words = own.clone();
        words.extend(params.iter().flat_map(|param| param.words.iter().cloned()));
        Self { params, own, words, heedful }
    }
}

/// The work on one tool.
pub(super) struct Filling<'r, 't> {
    pub(super) request: &'r Request,
    pub(super) range: Range<usize>,
    pub(super) params: &'t [Param<'t>],
    pub(super) mentions: Vec<Mention>,
    pub(super) used: Vec<bool>,
    pub(super) found: Vec<Found>,
    own: &'t [Rc<str>],
    depth: usize,
    /// Only what is said clearly: nothing is taken because nothing else is left.
    pub(super) strict: bool,
    /// What a part of a request does not say, another part does.
    pub(super) carries: bool,
    pub(super) heedful: bool,
}

impl<'r, 't> Filling<'r, 't> {
    pub(super) fn new(request: &'r Request, range: Range<usize>, form: &'t Form<'t>) -> Self {
        let inside = |mention: &&Mention| mention.from >= range.start && mention.to <= range.end;
        let mut mentions: Vec<Mention> = request.mentions.iter().filter(inside).cloned().collect();
        mentions.extend(phrases(request, &range, &form.words));
        mentions.sort_by_key(|mention| mention.from);
        mentions.truncate(MAX_MENTIONS);
        let used = vec![false; request.tokens.len()];
        let Form { params, own, heedful, .. } = form;
        Self {
            request,
            range,
            params,
            mentions,
            used,
            found: Vec::new(),
            own,
            depth: 0,
            strict: false,
            carries: false,
            heedful: *heedful,
        }
    }

    /// Fills what can be filled.
    pub(super) fn run(&mut self) {
        self.options();
        self.flags();
        self.examples(true);
        self.lists();
        self.pieces();
        self.examples(false);
        self.objects();
        self.meanings();
        if !self.strict {
            self.rest();
        }
    }

    /// The names of the required parameters without a value.
    pub(super) fn missing(&self) -> Vec<String> {
        let missing = (0..self.params.len()).filter(|place| self.params[*place].required && !self.has(*place));
        missing.map(|place| self.params[place].name.to_owned()).collect()
    }

    pub(super) fn arguments(&self) -> Map<String, Value> {
        let mut found: Vec<&Found> = self.found.iter().collect();
        found.sort_by_key(|found| found.param);
        found.into_iter().map(|found| (self.params[found.param].name.to_owned(), found.value.clone())).collect()
    }

    pub(super) fn has(&self, param: usize) -> bool {
        self.found.iter().any(|found| found.param == param)
    }

    /// Takes a value if the schema does.
    pub(super) fn take(&mut self, param: usize, value: Value, mention: Option<usize>, span: Range<usize>) -> bool {
        let refers = |at: usize| matches!(self.mentions[at].piece, Piece::Reference | Piece::Earlier);
        let reference = mention.is_some_and(refers);
        if self.has(param) || !(reference || check::takes(self.params[param].schema, &value)) {
            return false;
        }
        self.used[span].iter_mut().for_each(|used| *used = true);
        self.found.push(Found { param, value, mention });
        true
    }

    pub(super) fn is_free(&self, mention: &Mention) -> bool {
        self.used.get(mention.from..mention.to).is_some_and(|used| !used.contains(&true))
    }

    /// Values out of a few.
    fn options(&mut self) {
        for place in 0..self.params.len() {
            let param = &self.params[place];
            let list = param.takes == Takes::List;
            let chosen = if param.options().is_empty() { Vec::new() } else { named(self.request, &self.range, param) };
            if list && !chosen.is_empty() {
                let span = chosen[0].from..chosen[0].to;
                let values = chosen.into_iter().map(|chosen| chosen.value).collect();
                self.take(place, Value::Array(values), None, span);
                continue;
            }
            let coded = (!list).then(|| coded(self.request, &self.range, &self.params[place])).flatten();
            // An option that is a number stands for much else, so what stands for it is looked at first.
            let best = match self.params[place].has_figures() {
                true => coded.or_else(|| self.nearest(place, chosen)),
                false => self.nearest(place, chosen).or(coded),
            };
            if let Some(Chosen { value, from, to }) = best {
                self.take(place, value, None, from..to);
            }
        }
    }

    /// Options that no word names: what people call them, and of what is required what the words mean.
    fn meanings(&mut self) {
        for place in 0..self.params.len() {
            let param = &self.params[place];
            if self.has(place) || param.options().is_empty() || param.takes != Takes::Text {
                continue;
            }
            let alike = || {
                (param.required && !self.heedful).then(|| meant(self.request, &self.range, param, &self.used)).flatten()
            };
            if let Some(Chosen { value, .. }) = called(self.request, &self.range, param).or_else(alike) {
                self.take(place, value, None, 0..0);
            }
        }
    }

    /// Of several options the one beside the parameter's words, else the first.
    fn nearest(&self, place: usize, chosen: Vec<Chosen>) -> Option<Chosen> {
        let param = &self.params[place];
        let worth = |chosen: &Chosen| {
            let text = String::new();
            let mention = Mention { piece: Piece::Phrase, from: chosen.from, to: chosen.to, text };
            let used = self.used[chosen.from..chosen.to].contains(&true);
            around(self.request, &self.range, param, &mention, self.params) - f64::from(u8::from(used)) * 2.0
        };
        let mut best: Option<(f64, Chosen)> = None;
        for chosen in chosen {
            let worth = worth(&chosen);
            if param.has_figures() && worth < SPOKEN {
                continue;
            }
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, chosen));
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    fn flags(&mut self) {
        for place in 0..self.params.len() {
            let param = &self.params[place];
            let Some([no, yes]) = yes_and_no(param).filter(|_| !self.has(place)) else { continue };
            if let Some(said) = flag(self.request, &self.range, param) {
                self.take(place, if said { yes } else { no }, None, 0..0);
            }
        }
    }

    /// Single values: the best pairs first.
    fn pieces(&mut self) {
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for place in 0..self.params.len() {
            let param = &self.params[place];
            if self.has(place)
                || !matches!(param.takes, Takes::Text | Takes::Integer | Takes::Number)
                || !param.options().is_empty()
            {
                continue;
            }
            for (at, mention) in self.mentions.iter().enumerate() {
                if let Some(worth) = self.worth(place, param, at, mention) {
                    pairs.push((worth, place, at));
                }
            }
        }
        pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
        for (_, place, at) in pairs {
            if self.has(place) || !self.is_free(&self.mentions[at]) {
                continue;
            }
            let (param, mention) = (&self.params[place], &self.mentions[at]);
            let span = mention.from..mention.to;
            if let Some(value) = value(self.request, param, param.takes, mention) {
                self.take(place, value, Some(at), span);
            }
        }
    }

    /// What the pair is worth; `None` if it is too little.
    fn worth(&self, place: usize, param: &Param<'_>, at: usize, mention: &Mention) -> Option<f64> {
        let by_kind = kind(param, param.takes, mention)?;
        // What may be left out is for today anyway.
        if !param.required && matches!(mention.text.to_lowercase().as_str(), "today" | "tonight") {
            return None;
        }
        let spoken = around(self.request, &self.range, param, mention, self.params);
        if !self.may_take(param, mention, spoken) {
            return None;
        }
        let order = order(self.params.len(), place, self.mentions.len(), at);
        let worth = by_kind + spoken + order - self.second(param);
        match param.required {
            true if self.strict => {
                let least = if self.carries { 0.6 } else { 1.2 };
                let said = mention.piece != Piece::Phrase && worth > least || spoken >= 1.2;
                said.then_some(worth + 0.6)
            }
            true => (worth > 0.25).then_some(worth + 0.6),
            false => {
                let certain = by_kind >= 3.0 || (spoken >= SPOKEN && worth >= SURE);
                (certain && mention.piece != Piece::Phrase || spoken >= 2.0).then_some(worth)
            }
        }
    }

    /// What the description names as an example, and the request too. `first`: before anything else has been taken, where
    /// only words can be values.
    fn examples(&mut self, first: bool) {
        for place in 0..self.params.len() {
            let param = &self.params[place];
            if self.has(place) || param.takes != Takes::Text || !param.options().is_empty() {
                continue;
            }
            if first && !matches!(param.wants, Wants::Anything | Wants::Words)
                || self.heedful && param.wants == Wants::Words
            {
                continue;
            }
            // One of several names beside each other is for the lists.
            let joins = |place: usize| self.request.is(place, &["and", "or", "&"]) || self.request.is_mark(place, ",");
            let alone = |chosen: &Chosen| {
                let lower = self.request.tokens[chosen.from].text.starts_with(char::is_lowercase);
                lower || !joins(chosen.to) && !chosen.from.checked_sub(1).is_some_and(joins)
            };
            let mut found = examples(self.request, &self.range, param);
            found.retain(|chosen| !self.used[chosen.from..chosen.to].contains(&true) && (!first || alone(chosen)));
            if let Some(Chosen { value, from, to }) = self.nearest(place, found) {
                self.take(place, value, None, from..to);
            }
        }
    }

    /// Parameters that hold parameters.
    fn objects(&mut self) {
        if self.depth >= MAX_DEPTH {
            return;
        }
        for place in 0..self.params.len() {
            let schema = self.params[place].schema;
            let list = self.params[place].takes == Takes::List;
            if self.has(place) || !(list || self.params[place].takes == Takes::Object) {
                continue;
            }
            let whole = self.mentions.iter().position(|mention| {
                self.is_free(mention) && matches!(&mention.piece, Piece::Json(json) if check::takes(schema, json))
            });
            if let Some(at) = whole
                && let Piece::Json(json) = self.mentions[at].piece.clone()
            {
                let span = self.mentions[at].from..self.mentions[at].to;
                self.take(place, json, Some(at), span);
                continue;
            }
            let inner = if list { schema.get("items").unwrap_or(&Value::Null) } else { schema };
            if inner.get("properties").is_none() {
                continue;
            }
            let form = Form::new(inner, self.own.to_vec(), self.heedful);
            let mut filling = Filling::new(self.request, self.range.clone(), &form);
            (filling.used, filling.depth, filling.strict) = (self.used.clone(), self.depth + 1, self.strict);
            filling.carries = self.carries;
            filling.run();
            if filling.missing().is_empty() && !filling.found.is_empty() {
                let value = Value::Object(filling.arguments());
                self.used = filling.used;
                self.take(place, if list { Value::Array(vec![value]) } else { value }, None, 0..0);
            }
        }
    }

    /// What is required and was not found: the default, what no parameter has taken yet, or the option that comes nearest.
    fn rest(&mut self) {
        for place in 0..self.params.len() {
            if self.has(place) || !self.params[place].required {
                continue;
            }
            let param = &self.params[place];
            if let Some(default) = param.default().cloned().or_else(|| param.told_default()) {
                self.take(place, default, None, 0..0);
            } else if let [only] = param.options() {
                self.take(place, only.clone(), None, 0..0);
            } else if self.heedful {
                continue;
            } else if param.takes == Takes::Boolean {
                self.take(place, Value::Bool(false), None, 0..0);
            } else if param.takes == Takes::Text
                && param.options().is_empty()
                && !matches!(param.wants, Wants::Email | Wants::Url | Wants::Date | Wants::Time | Wants::Path)
            {
                self.remains(place);
            }
        }
    }

    /// The longest piece that nothing has taken.
    fn remains(&mut self, place: usize) {
        let free = self.mentions.iter().enumerate().filter(|(_, mention)| self.is_free(mention));
        let fits = free.filter(|(_, mention)| kind(&self.params[place], Takes::Text, mention).is_some());
        let rank = |mention: &Mention| (mention.piece != Piece::Phrase, mention.to - mention.from);
        let Some((at, _)) = fits.max_by_key(|(at, mention)| (rank(mention), usize::MAX - at)) else { return };
        let mention = &self.mentions[at];
        let span = mention.from..mention.to;
        if let Some(value) = value(self.request, &self.params[place], Takes::Text, mention) {
            self.take(place, value, Some(at), span);
        }
    }
}

/// Pieces come mostly in the order of the parameters.
fn order(params: usize, place: usize, mentions: usize, at: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few parameters and pieces")]
    let share = |at: usize, of: usize| if of > 1 { at as f64 / (of - 1) as f64 } else { 0.5 };
    -0.3 * (share(place, params) - share(at, mentions)).abs()
}

/// The stems of what a tool says of itself.
pub(crate) fn own_words(name: &str, description: &str) -> Vec<Rc<str>> {
    let mut own = stems::stems(name);
    own.extend(stems::stems(description.split(['.', '\n']).next().unwrap_or_default()));
    own
}
