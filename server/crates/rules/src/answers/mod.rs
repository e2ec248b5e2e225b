//! Answers about what the context holds, worked out without a model and without a tool: counts, extremes, sums, averages,
//! of groups too, and lookups in tables (JSON, CSV, Markdown), and summaries of text in its own best sentences.
//!
//! An answer is given only if every word of the question has a meaning here, and it says where it comes from; anything
//! else is left to the other rules. What is looked at has limits, so that no value takes long.

mod digest;
mod group;
mod measure;
mod query;
mod table;
mod tell;
mod vocabulary;

use self::query::Wanted;
use self::table::Table;
use super::ask::{Answer, said};
use super::clause::Clause;
use super::focus::Focus;
use super::goal::{About, Given, Goal, Question, Skill, Source};
use super::lexer::Kind;
use super::source::{Held, Looked, look};
use switchboard_agent::{ReasonerError, TurnContext};
use switchboard_events::ArtifactValue;

/// How many variables are looked into when the last result is not a table, the newest.
const MAX_VARIABLES: usize = 8;

/// How large a variable may be for that.
const MAX_OTHER_BYTES: u64 = 256 * 1024;

/// Files that hold tables.
const TABLES: &[&str] = &[".csv", ".tsv", ".md", ".json"];

/// The answer to a goal, if it is one of these questions and there is something to answer it from.
pub(super) async fn answer(
    goal: &Goal,
    scene: &TurnContext<'_>,
    focus: &Focus,
) -> Result<Option<Answer>, ReasonerError> {
    let Some((clause, source)) = question(goal) else { return Ok(None) };
    if digest::is_wanted(clause) {
        return summary(clause, &source, scene, focus).await;
    }
    if !Wanted::is_likely(clause) {
        return Ok(None);
    }
    let named = !matches!(source, Source::That | Source::Context);
    match look(&source, scene, focus, false, clause).await? {
        Looked::Found(held) => {
            if let Some(answer) = from_table(goal, clause, &held, scene) {
                return Ok(Some(answer));
            }
        }
        Looked::Needs(act) if is_plain(clause) => return Ok(Some(Answer::Needs(act))),
        Looked::Needs(_) | Looked::Nothing(_) => {}
    }
    if named { Ok(None) } else { from_others(goal, clause, scene, focus).await }
}

/// What was to be done as a question, for when a tool has brought what it is about. A question stays what it is: another
/// rule may know the answer.
pub(super) fn as_question(goal: &Goal) -> Option<Goal> {
    let (clause, source) = question(goal).filter(|_| matches!(goal, Goal::Act(_)))?;
    let about = if digest::is_wanted(clause) { About::Structure } else { About::Whole };
    Some(Goal::Ask(Question { about, source, clause: clause.clone() }))
}

/// The clause of a goal that could be a question about a value, and where the value is.
fn question(goal: &Goal) -> Option<(&Clause, Source)> {
    let (clause, known) = match goal {
        Goal::Ask(question) => {
            let open = match question.about {
                About::Field(_) | About::Count(_) | About::Whole => true,
                About::Structure => digest::is_wanted(&question.clause),
                _ => false,
            };
            open.then(|| (&question.clause, Some(question.source.clone())))?
        }
        Goal::Act(act) => {
            let free = act.tool.is_none() && act.exactly.is_none() && act.output.is_none();
            let open = match act.skill {
                Skill::Other => act.given.is_empty(),
                Skill::Compute => act.clause.starts("how many|which|who|what").is_some(),
                Skill::Read => Wanted::measures(&act.clause) || digest::is_wanted(&act.clause),
                _ => false,
            };
            (free && open).then_some((&act.clause, None))?
        }
        Goal::Talk(_) | Goal::Name(_) | Goal::Unclear(_) => return None,
    };
    let known = known.filter(|source| !matches!(source, Source::Context));
    Some((clause, known.unwrap_or_else(|| named_in(clause))))
}

/// The file or the variable that the clause names; the last result if it names none.
fn named_in(clause: &Clause) -> Source {
    for token in &clause.tokens {
        match token.kind {
            Kind::Path => return Source::File(Given::text(&token.text)),
            Kind::Reference => return Source::Variable(token.text.trim_start_matches('@').to_owned()),
            _ => {}
        }
    }
    Source::That
}

/// Whether a file is worth reading for the question: it asks for a number of a table that nobody has read.
fn is_plain(clause: &Clause) -> bool {
    let table = |text: &str| TABLES.iter().any(|ending| text.ends_with(ending));
    clause.tokens.iter().any(|token| token.kind == Kind::Path && table(&token.lower)) && Wanted::measures(clause)
}

/// The newest tables, each asked whether the question is about it.
async fn from_others(
    goal: &Goal,
    clause: &Clause,
    scene: &TurnContext<'_>,
    focus: &Focus,
) -> Result<Option<Answer>, ReasonerError> {
    let names: Vec<String> = scene
        .view
        .context
        .variables()
        .rev()
        .filter(|variable| focus.variable.as_ref() != Some(&variable.name) && variable.bytes <= MAX_OTHER_BYTES)
        .take(MAX_VARIABLES)
        .map(|variable| variable.name.clone())
        .collect();
    for name in names {
        if let Looked::Found(held) = look(&Source::Variable(name), scene, focus, false, clause).await?
            && let Some(answer) = from_table(goal, clause, &held, scene)
        {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

fn from_table(goal: &Goal, clause: &Clause, held: &Held, scene: &TurnContext<'_>) -> Option<Answer> {
    let tables = Table::all_in(&held.value);
    // What a value consists of is counted by a rule that knows folders and searches, too; but a heading is not a row.
    let counted = matches!(goal, Goal::Ask(Question { about: About::Count(_), .. }));
    let counted = counted && !clause.has(&["rows", "records", "entries"]);
    let text = tables.iter().find_map(|table| {
        let wanted = Wanted::of(clause, table, &held.label).filter(|wanted| !counted || !wanted.is_plain_count())?;
        tell::told(&wanted, table, &held.label)
    })?;
    Some(said(text, why(held, scene)))
}

/// The best sentences of a text; what is not text is described by another rule.
async fn summary(
    clause: &Clause,
    source: &Source,
    scene: &TurnContext<'_>,
    focus: &Focus,
) -> Result<Option<Answer>, ReasonerError> {
    Ok(match look(source, scene, focus, false, clause).await? {
        Looked::Needs(act) => Some(Answer::Needs(act)),
        Looked::Found(held) => match held.value.as_ref() {
            ArtifactValue::Text(text) => digest::summary(text, digest::length(clause))
                .map(|best| said(best.told(&held.label), why(&held, scene))),
            _ => None,
        },
        Looked::Nothing(_) => None,
    })
}

fn why(held: &Held, scene: &TurnContext<'_>) -> String {
    match scene.attempts.is_empty() {
        true => format!("What is asked for is already available in context: `{}`.", held.variable),
        false => format!("The answer is in `{}`.", held.variable),
    }
}

#[cfg(test)]
mod tests;
