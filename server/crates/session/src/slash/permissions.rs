//! `/permissions`: the rules in force, where each came from, and this session's own.

use super::{Command, CommandContext, Outcome, short};
use switchboard_events::{Grant, RuleRecord, ServerOnly};
use switchboard_runtime::nearest;
use switchboard_tools::{ApproveMode, Effect, Rule, RuleSet, RuleSource};

/// How many rules of its own a session has.
pub(crate) const MAX_RULES: usize = 100;

pub(super) const COMMAND: Command = Command {
    name: "permissions",
    usage: "/permissions [allow RULE | ask RULE | deny RULE | remove N]",
    about: "shows what runs without asking, what asks and what is denied; adds a rule for this session, such as \
            `bash(git status *)`, or removes one",
    run,
};

/// One line of the list.
enum Entry<'a> {
    Settings(&'a Rule),
    Session(&'a RuleRecord),
    Grant(&'a Grant, &'a str),
}

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let (word, rest) = arguments.split_once(char::is_whitespace).unwrap_or((arguments, ""));
    let rest = rest.trim();
    match (Effect::of(word), word) {
        (Some(_), _) if rest.is_empty() => {
            Outcome::Wrong(format!("Say which rule, as in `/permissions {word} bash(git status *)`."))
        }
        (Some(effect), _) => add(context, effect, rest),
        (None, "") => Outcome::Say(list(context)),
        (None, "remove") => remove(context, rest),
        (None, _) => Outcome::Wrong(unknown(word)),
    }
}

fn unknown(word: &str) -> String {
    let word = short(word, 40);
    match nearest(&word, ["allow", "ask", "deny", "remove"], 1).first() {
        Some(near) => format!("`{word}` is not something you can do with permissions. Did you mean `{near}`?"),
        None => format!(
            "`{word}` is not something you can do with permissions: use allow, ask or deny with a rule, or remove \
             with a number."
        ),
    }
}

fn add(context: &CommandContext<'_>, effect: Effect, text: &str) -> Outcome {
    let services = context.services;
    if effect == Effect::Allow && services.policy.mode() == ApproveMode::Deny {
        return Outcome::Wrong(
            "This server denies everything that its settings do not allow (it runs with `--approve deny`), so a \
             session cannot allow more. If you run the server, use `--allow`."
                .to_owned(),
        );
    }
    if context.state.permissions.rules.len() >= MAX_RULES {
        return Outcome::Wrong(format!("A session can have at most {MAX_RULES} rules of its own; remove one first."));
    }
    let rule = match Rule::parse(effect, text, RuleSource::Session) {
        Ok(rule) => rule,
        Err(error) => return Outcome::Wrong(sentence(&error)),
    };
    let fact = RuleRecord { effect: effect.word().to_owned(), rule: rule.text().to_owned() };
    if context.state.permissions.rules.contains(&fact) {
        return Outcome::Wrong(format!("`{effect} {}` is already a rule of this session.", rule.text()));
    }
    let rules =
        services.policy.rules().with(&context.state.permissions.rule_set()).with(&RuleSet::new(vec![rule.clone()]));
    if let Some(why) = rules.why_never(&rule, &services.registry.definitions(), &[]) {
        return Outcome::Wrong(sentence(&why));
    }
    let text = format!("{} `{}` in this session, from the next call on.", said(effect), rule.text());
    Outcome::Permit(Box::new(ServerOnly { rule: Some(fact), ..ServerOnly::default() }), text)
}

fn remove(context: &CommandContext<'_>, number: &str) -> Outcome {
    let rules = context.services.policy.rules();
    let entries = entries(context, &rules);
    let entry = number.parse::<usize>().ok().and_then(|number| entries.get(number.checked_sub(1)?));
    match entry {
        None if entries.is_empty() => Outcome::Wrong("There is no rule to remove.".to_owned()),
        None => Outcome::Wrong(format!("N is a number from 1 to {}, as `/permissions` lists them.", entries.len())),
        Some(Entry::Settings(rule)) => Outcome::Wrong(format!(
            "`{} {}` is {}, so it cannot be removed here. If you run the server, change it there, then send the \
             server SIGHUP.",
            rule.effect(),
            rule.text(),
            place(rule)
        )),
        Some(Entry::Session(fact)) => {
            let text = format!("`{} {}` no longer applies.", fact.effect, fact.rule);
            Outcome::Permit(Box::new(ServerOnly { rule_removed: Some((*fact).clone()), ..ServerOnly::default() }), text)
        }
        Some(Entry::Grant(grant, covers)) => {
            let text = format!("This will ask again: {}.", covered(grant, covers));
            Outcome::Permit(
                Box::new(ServerOnly { grant_removed: Some((*grant).clone()), ..ServerOnly::default() }),
                text,
            )
        }
    }
}

fn list(context: &CommandContext<'_>) -> String {
    let rules = context.services.policy.rules();
    let mode = match context.services.policy.mode() {
        ApproveMode::Ask => {
            "Where no rule applies, reading runs without asking; writing, running programs and using the network ask \
             (`--approve ask`)."
        }
        ApproveMode::Auto => {
            "Everything that no rule denies runs without asking (`--approve auto`); `ask` has no effect."
        }
        ApproveMode::Deny => {
            "Everything except reading is denied unless a rule in the settings allows it (`--approve deny`)."
        }
    };
    let lines: Vec<String> =
        entries(context, &rules).iter().enumerate().map(|(at, entry)| line(at + 1, entry)).collect();
    if lines.is_empty() {
        return format!("{mode}\n\nThere are no rules. To add one: `/permissions allow bash(git status *)`.");
    }
    format!(
        "{mode}\n\nDeny takes precedence over ask, and ask over allow:\n\n{}\n\n`/permissions remove N` removes one \
         of this session's rules.",
        lines.join("\n")
    )
}

fn entries<'a>(context: &CommandContext<'a>, rules: &'a RuleSet) -> Vec<Entry<'a>> {
    let settings = rules.all().iter().map(Entry::Settings);
    let session = context.state.permissions.rules.iter().map(Entry::Session);
    let grants = context.state.permissions.grants.iter().map(|(grant, covers)| Entry::Grant(grant, covers));
    settings.chain(session).chain(grants).collect()
}

fn line(number: usize, entry: &Entry<'_>) -> String {
    match entry {
        Entry::Settings(rule) => format!("{number}. {} `{}`: {}", rule.effect(), rule.text(), place(rule)),
        Entry::Session(fact) => format!("{number}. {} `{}`: of this session", fact.effect, fact.rule),
        Entry::Grant(grant, covers) => {
            format!("{number}. allow {}: you allowed it when asked", covered(grant, covers))
        }
    }
}

/// Where a rule stands, without the server's folders.
fn place(rule: &Rule) -> String {
    match rule.source() {
        RuleSource::Settings(place) => format!("in the settings ({})", place.rsplit('/').next().unwrap_or_default()),
        RuleSource::Session => "of this session".to_owned(),
    }
}

fn covered(grant: &Grant, covers: &str) -> String {
    if covers.is_empty() { format!("calls of `{}`", grant.tool) } else { short(covers, 300) }
}

fn said(effect: Effect) -> &'static str {
    match effect {
        Effect::Allow => "Runs without asking:",
        Effect::Ask => "Asks first:",
        Effect::Deny => "Is denied:",
    }
}

fn sentence(text: &str) -> String {
    let mut signs = text.chars();
    let first = signs.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", signs.as_str().trim_end_matches('.'))
}
