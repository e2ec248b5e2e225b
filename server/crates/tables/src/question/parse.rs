//! From meanings to pieces: one pass over the phrases of a reading, in which each phrase finds its part or the reading
//! is given up.

use super::meanings::{Item, Meaning};
use super::parts::{Counted, End, Extreme, Mention, Parts, Target};
use crate::query::{Function, Period, Test};
use crate::schema::Schema;
use crate::tokens::Token;
use crate::vocabulary::{Role, vocabulary};

/// What it costs to take a cell of a column where another is nearer.
pub(crate) const ELSEWHERE: f32 = 0.15;

/// What it costs that rows with a name are taken for people.
const NAMED: f32 = 0.1;

/// A reading that cannot be: the phrase that has no part.
pub(crate) struct NoPart(pub(crate) usize);

/// One pass over a reading.
pub(crate) struct Parser<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) tokens: &'a [Token],
    pub(crate) items: &'a [Item],
    pub(crate) at: usize,
    pub(crate) parts: Parts,
    /// `not` stands before what comes next.
    pub(crate) not: bool,
    /// `no` or `without` stands before.
    pub(crate) lacking: bool,
    /// `which` stands before.
    pub(crate) which: bool,
    /// A function whose column has not come yet.
    pub(crate) pending: Option<Function>,
    /// A number that waits for `cheapest` and the like.
    pub(crate) number: Option<u32>,
}

impl<'a> Parser<'a> {
    /// The pieces of the reading.
    pub(crate) fn parse(schema: &'a Schema, tokens: &'a [Token], items: &'a [Item]) -> Result<Parts, NoPart> {
        let parts = Parts { cost: items.iter().map(|item| item.cost).sum(), ..Parts::default() };
        let (not, lacking, which) = (false, false, false);
        let mut parser = Self { schema, tokens, items, at: 0, parts, not, lacking, which, pending: None, number: None };
        while parser.at < items.len() {
            let before = parser.at;
            parser.step().map_err(|NoPart(at)| NoPart(at.min(items.len() - 1)))?;
            parser.at = parser.at.max(before + 1);
        }
        if parser.not || parser.lacking || parser.number.is_some() {
            return Err(NoPart(items.len() - 1));
        }
        if let Some(function) = parser.pending.take() {
            parser.parts.functions.push((function, None));
        }
        Ok(parser.parts)
    }

    fn step(&mut self) -> Result<(), NoPart> {
        if self.within() {
            return Ok(());
        }
        let item = &self.items[self.at];
        match &item.meaning {
            Meaning::Role(role) => self.role(*role),
            Meaning::Column(column) => self.column(*column),
            Meaning::Hint(columns) => self.hint(columns),
            Meaning::Verb(column) => match self.condition_of(*column)? {
                true => Ok(()),
                false => self.fail(),
            },
            Meaning::Cell(column, _) => {
                self.parts.cost += self.elsewhere(*column);
                self.cells(*column)
            }
            Meaning::Number(number) => self.lone_number(&number.clone()),
            Meaning::When(when) => self.when(&when.clone(), None, None),
            Meaning::Rows => self.rows(),
            Meaning::Source => {
                self.parts.source = true;
                Ok(())
            }
            Meaning::Nth(nth) if self.parts.nth.is_none() => {
                self.parts.nth = Some(*nth);
                Ok(())
            }
            Meaning::Step(step) if self.parts.step.is_none() => {
                self.parts.step = Some(*step);
                Ok(())
            }
            Meaning::Nth(_) | Meaning::Step(_) => self.fail(),
            Meaning::Condition(condition) => {
                self.parts.dated |= matches!(condition.test, Test::During { .. });
                self.condition(condition.clone());
                Ok(())
            }
            Meaning::Quoted(text) => self.quoted(&text.clone()),
            Meaning::Unknown => self.unknown(),
        }
    }

    pub(crate) fn fail<T>(&self) -> Result<T, NoPart> {
        Err(NoPart(self.at))
    }

    /// The next phrase that says something, from here on.
    pub(crate) fn after(&self, at: usize) -> Option<usize> {
        (at..self.items.len()).find(|at| !self.items[*at].is(Role::Fill))
    }

    pub(crate) fn meaning(&self, at: usize) -> Option<&'a Meaning> {
        self.items.get(at).map(|item| &item.meaning)
    }

    fn role(&mut self, role: Role) -> Result<(), NoPart> {
        // `who has paid everything` is not who has paid.
        if role == Role::Ask && self.is_behind("wholly") {
            return self.fail();
        }
        let parts = &mut self.parts;
        match role {
            Role::Fill => self.fill(),
            Role::Ask => parts.ask = true,
            Role::Which => self.asked(),
            Role::Whole => self.whole(),
            Role::Who => parts.who = true,
            Role::When => parts.when = true,
            Role::Where => parts.place = true,
            Role::HowMuch => parts.how_much = true,
            Role::Only => parts.only = true,
            Role::About if self.at == 0 => parts.about = true,
            Role::Them => self.them(),
            Role::One => {
                let said = &self.tokens[self.items[self.at].from].lower;
                parts.whose |= vocabulary().is_relative("persons", said);
                parts.one = true;
            }
            Role::Turn => (parts.turn, parts.descending) = (true, Some(true)),
            Role::Sort => parts.sort = true,
            Role::Ascending => parts.descending = Some(false),
            Role::Descending => parts.descending = Some(true),
            Role::Distinct => parts.distinct = true,
            Role::Duplicate => parts.duplicate = true,
            Role::Share => parts.share = true,
            Role::Noun => {
                let noun = &self.tokens[self.items[self.at].from].lower;
                parts.ones |= vocabulary().is_relative("ones", noun);
                return self.any_rows();
            }
            Role::Person => return self.person(),
            Role::And => self.and(),
            Role::Not | Role::Except => self.not = !self.not,
            Role::Lacking => return self.lacking(),
            Role::Count => return self.count(),
            // `how many tubes in total`, `how much rain in total`
            Role::Sum if parts.how_much || matches!(parts.count, Some(Counted::Column(_))) => parts.total = true,
            Role::Sum => self.function(Function::Sum),
            Role::Average => self.function(Function::Average),
            Role::Median => self.function(Function::Median),
            Role::Minimum => self.function(Function::Minimum),
            Role::Maximum => self.function(Function::Maximum),
            Role::Top => return self.end(End::Top),
            Role::Bottom => return self.end(End::Bottom),
            Role::First => return self.end(End::First),
            Role::Last => return self.end(End::Last),
            Role::Extreme(at) => self.extreme(at),
            Role::Further(at) => {
                parts.further = true;
                self.extreme(at);
            }
            Role::Compare(at) => return self.compare(at, None),
            Role::Between => return self.between(None),
            Role::By => return self.by(),
            Role::Per => return self.per(),
            Role::Daily => return self.group_by(Period::Day),
            Role::Weekly => return self.group_by(Period::Week),
            Role::Monthly => return self.group_by(Period::Month),
            Role::Yearly => return self.group_by(Period::Year),
            Role::Hourly => return self.group_by(Period::Hour),
            Role::Minute | Role::Hour | Role::Day | Role::Week | Role::Month | Role::Year => return self.unit(role),
            Role::Contains => return self.contains(None, Role::Contains),
            Role::Or
            | Role::Versus
            | Role::How
            | Role::Starts
            | Role::Ends
            | Role::Empty
            | Role::About
            | Role::File => {
                return self.fail();
            }
        }
        Ok(())
    }

    fn fill(&mut self) {
        let item = &self.items[self.at];
        let phrase: Vec<&str> = self.tokens[item.from..item.to].iter().map(|token| token.lower.as_str()).collect();
        self.parts.total |= vocabulary().is_relative("in_all", &phrase.join(" "));
        let token = &self.tokens[item.from];
        self.parts.whose |= vocabulary().is_relative("persons", &token.lower);
        let refers = |role: &Role| matches!(role, Role::One | Role::Them);
        self.parts.its |= vocabulary().roles(&token.lower).iter().any(refers);
        if self.parts.copula.is_none() && self.at > 0 && vocabulary().is_relative("copulas", &token.lower) {
            self.parts.copula = Some(self.at);
        }
    }

    fn them(&mut self) {
        self.parts.them = true;
        let last = &self.tokens[self.items[self.at].to - 1].lower;
        self.parts.few =
            vocabulary().number(last).and_then(super::when::whole_number).and_then(|few| usize::try_from(few).ok());
    }

    /// Whether the phrase is a word of this set, and stands behind one that says something of the table.
    fn is_behind(&self, set: &str) -> bool {
        let said = &self.tokens[self.items[self.at].from].lower;
        let before = self.at.checked_sub(1).and_then(|before| self.meaning(before));
        vocabulary().is_relative(set, said) && before.is_some_and(|before| !matches!(before, Meaning::Role(_)))
    }

    fn asked(&mut self) {
        (self.parts.which, self.which) = (true, true);
        let next = self.items.get(self.at + 1).map(|next| &self.tokens[next.from].lower);
        // `what did Ben pay for` asks for what stands behind.
        let open = self.tokens.last().is_some_and(|last| vocabulary().is_relative("prepositions", &last.lower));
        self.parts.does = !open && next.is_some_and(|next| vocabulary().is_relative("asking_auxiliaries", next));
    }

    /// `no`, `without`; what never was is said of what is done, not of cells: that no row is so, one row does not tell.
    fn lacking(&mut self) -> Result<(), NoPart> {
        self.lacking = true;
        let never = &self.tokens[self.items[self.at].to - 1].lower;
        let next = self.after(self.at + 1).and_then(|next| self.meaning(next));
        match next {
            Some(Meaning::Cell(..) | Meaning::Condition(_)) if vocabulary().is_relative("never", never) => self.fail(),
            _ => Ok(()),
        }
    }

    fn and(&mut self) {
        if self.at == 0 {
            self.parts.starts_with_and = true;
        }
    }

    fn rows(&mut self) -> Result<(), NoPart> {
        self.parts.rows = true;
        self.parts.rows_at.get_or_insert(self.at);
        // People and staff are counted.
        let noun = &self.tokens[self.items[self.at].to - 1].lower;
        self.parts.mass = !noun.ends_with('s') && !vocabulary().rows.iter().any(|rows| rows.words.contains(noun));
        self.which = false;
        if self.row_by_id()? {
            return Ok(());
        }
        self.counted_rows()
    }

    fn any_rows(&mut self) -> Result<(), NoPart> {
        self.parts.any_rows = true;
        self.which = false;
        self.counted_rows()
    }

    fn person(&mut self) -> Result<(), NoPart> {
        self.parts.person = true;
        // Rows that are called people are those before any that have a name.
        if !self.schema.nouns.contains("people") {
            self.parts.cost += NAMED;
        }
        // `absent people`, in a table that has nobody's name.
        let described = self.at.checked_sub(1).and_then(|before| self.meaning(before));
        if matches!(described, Some(Meaning::Cell(..) | Meaning::Condition(_))) {
            return self.any_rows();
        }
        // `what do people owe us` asks for what is owed.
        let asking = self.at.checked_sub(1).map(|before| &self.tokens[self.items[before].from].lower);
        if asking.is_some_and(|asking| vocabulary().is_relative("asking_auxiliaries", asking)) {
            return Ok(());
        }
        if !self.schema.nouns.contains("people")
            && !self.schema.about("person").iter().any(|at| Some(*at) == self.schema.subject)
        {
            return self.fail();
        }
        self.rows()
    }

    fn counted_rows(&mut self) -> Result<(), NoPart> {
        if self.parts.count == Some(Counted::Something) {
            self.parts.count = Some(Counted::Rows);
        }
        let describes =
            |item: &Item| matches!(item.meaning, Meaning::Cell(..) | Meaning::Condition(_)) || item.is(Role::Fill);
        let (items, at) = (self.items, self.at);
        let next_to = |extreme: &&mut Extreme| {
            extreme.target.is_none() && extreme.counts && items[extreme.at + 1..at].iter().all(describes)
        };
        if let Some(extreme) = self.parts.extreme.as_mut().filter(next_to) {
            extreme.target = Some(Target::Count);
        }
        if self.pending == Some(Function::Sum) {
            // `the total orders` are how many there are; `the total value of all boats` is a figure that must be here.
            let sum = self.items[..self.at].iter().rposition(|item| item.is(Role::Sum)).unwrap_or_default();
            if self.items[sum + 1..self.at].iter().any(|item| !describes(item)) {
                return self.fail();
            }
            self.pending = None;
            match self.schema.only_figure().filter(|_| self.parts.mass) {
                Some(only) => self.parts.functions.push((Function::Sum, Some(only))),
                None => self.parts.count = Some(Counted::Rows),
            }
            self.parts.cost += 0.2;
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), NoPart> {
        if self.parts.count.is_some() {
            return self.fail();
        }
        if self.pending == Some(Function::Sum) {
            self.pending = None;
        }
        if self.pending.is_some() {
            // `the average number of points` is that of the points.
            let next = self.after(self.at + 1).and_then(|next| self.meaning(next));
            let figure = matches!(next, Some(Meaning::Column(column)) if self.schema.columns[*column].kind.is_number());
            return if figure { Ok(()) } else { self.fail() };
        }
        self.parts.count = Some(Counted::Something);
        if let Some(extreme) = self.parts.extreme.as_mut().filter(|extreme| extreme.target.is_none()) {
            extreme.target = Some(Target::Count);
        }
        Ok(())
    }

    pub(crate) fn function(&mut self, function: Function) {
        // `the price average`: the column stands in front.
        if let Some(before) = self.pending.take() {
            self.parts.functions.push((before, None));
        }
        let last = self.parts.mentions.last().copied();
        let number = |mention: &Mention| {
            let known = &self.schema.columns[mention.column];
            known.kind.is_number() && !known.is_id()
        };
        // `the rent of all flats together` is not that of their numbers.
        let named = |mention: &Mention| {
            let others = self.parts.mentions.iter().any(|other| other.column != mention.column && number(other));
            self.schema.columns[mention.column].unique && others
        };
        let before = last.filter(|mention| number(mention) && !named(mention) && mention.at + 1 == self.at);
        match before {
            Some(mention) => {
                self.parts.mentions.pop();
                self.parts.functions.push((function, Some(mention.column)));
            }
            None => self.pending = Some(function),
        }
    }
}
