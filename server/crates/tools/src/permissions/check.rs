//! Rules that could never have an effect are errors: they are slips, and whoever wrote one believes that it applies.

use switchboard_protocol::ToolDefinition;

use super::call::Main;
use super::parse::RISKS;
use super::rule::{Pattern, Rule, Subject};
use super::rules::RuleSet;
use switchboard_runtime::nearest;

impl RuleSet {
    /// The first rule that can never have an effect, and why; `definitions` are the tools that come with the server,
    /// `modules` the names of MCP servers, whose tools are not known yet.
    #[must_use]
    pub fn never_matching(&self, definitions: &[ToolDefinition], modules: &[String]) -> Option<(&Rule, String)> {
        self.all().iter().find_map(|rule| Some((rule, self.why_never(rule, definitions, modules)?)))
    }

    /// Why this rule can never have an effect among these.
    #[must_use]
    pub fn why_never(&self, rule: &Rule, definitions: &[ToolDefinition], modules: &[String]) -> Option<String> {
        let why = subject_problem(rule, definitions, modules)
            .or_else(|| pattern_problem(rule, definitions))
            .or_else(|| rule.domain_problem())
            .or_else(|| self.shadow(rule, definitions));
        why.map(|why| format!("the rule \"{}\" can never match: {why}", rule.text))
    }

    fn shadow(&self, rule: &Rule, definitions: &[ToolDefinition]) -> Option<String> {
        let stronger = |other: &&Rule| other.effect > rule.effect && covers(other, rule, definitions);
        let other = self.all().iter().find(stronger)?;
        let (effect, text) = (other.effect, &other.text);
        Some(format!(
            "the rule \"{text}\" of `{effect}` takes precedence over all of it; remove one of them, or make that one \
             narrower"
        ))
    }
}

fn subject_problem(rule: &Rule, definitions: &[ToolDefinition], modules: &[String]) -> Option<String> {
    match &rule.subject {
        // The tools of MCP servers come and go.
        Subject::Tool(name) if name.contains("__") => None,
        Subject::Tool(name) if definitions.iter().any(|definition| definition.name == *name) => None,
        Subject::Tool(name) => {
            let near = nearest(name, definitions.iter().map(|definition| definition.name.as_str()), 1);
            Some(format!("there is no tool \"{name}\"{}", hint(&near, "`switchboard tools` lists them")))
        }
        Subject::Tools(names) => {
            let found = definitions.iter().any(|definition| names.fits(&definition.name));
            let may_come = rule.text.contains("__") || rule.text.starts_with('*');
            (!found && !may_come).then(|| "no tool has a name like that; `switchboard tools` lists them".to_owned())
        }
        Subject::Module(module) => {
            let mut known: Vec<&str> = definitions.iter().map(|definition| definition.module.as_str()).collect();
            known.extend(modules.iter().map(String::as_str));
            known.sort_unstable();
            known.dedup();
            let otherwise = format!("the modules are {}", known.join(", "));
            let near = nearest(module, known.iter().copied(), 1);
            (!known.contains(&module.as_str()))
                .then(|| format!("there is no module \"{module}\"{}", hint(&near, &otherwise)))
        }
        Subject::Network => None,
        Subject::Risk(risk) => {
            debug_assert!(RISKS.iter().any(|(_, known)| known == risk), "a risk was read by its name");
            None
        }
    }
}

fn hint(near: &[&str], otherwise: &str) -> String {
    match near.first() {
        Some(near) => format!("; did you mean \"{near}\"?"),
        None => format!("; {otherwise}"),
    }
}

/// A pattern must mean something to one of the tools at least.
fn pattern_problem(rule: &Rule, definitions: &[ToolDefinition]) -> Option<String> {
    let pattern = rule.pattern.as_ref()?;
    let spoken_for: Vec<&ToolDefinition> =
        definitions.iter().filter(|definition| rule.subject.is(definition, None)).collect();
    if spoken_for.is_empty() {
        return None;
    }
    let problems: Vec<String> =
        spoken_for.iter().map_while(|definition| problem_for(pattern, &rule.text, definition)).collect();
    if problems.len() < spoken_for.len() { None } else { problems.into_iter().next() }
}

fn problem_for(pattern: &Pattern, text: &str, definition: &ToolDefinition) -> Option<String> {
    let properties = definition.parameters.get("properties").and_then(serde_json::Value::as_object);
    let names: Vec<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let tool = &definition.name;
    match pattern {
        Pattern::Argument { name, .. } if names.contains(&name.as_str()) => None,
        Pattern::Argument { name, .. } => {
            let near = nearest(name, names.iter().copied(), 1);
            Some(format!("{tool} has no argument \"{name}\"{}", hint(&near, &format!("it has {}", names.join(", ")))))
        }
        Pattern::Main { files, .. } => match Main::of(definition) {
            Main::Command => command_problem(text),
            Main::Files => files.as_ref().err().cloned(),
            Main::Address => None,
            Main::Nothing => {
                let example = names.first().map_or_else(String::new, |name| format!(", as in {tool}({name}=…)"));
                Some(format!("{tool} is not about a command, file or address: name an argument{example}"))
            }
        },
    }
}

/// A pattern is checked against one command at a time.
fn command_problem(text: &str) -> Option<String> {
    let signs = ["&&", "||", ";", "|", "$(", "`"];
    let sign = signs.into_iter().find(|sign| text.contains(sign))?;
    Some(format!("commands are checked one by one, so none contains \"{sign}\"; write one rule for each command"))
}

/// Whether one rule applies to every call that the other applies to.
fn covers(wide: &Rule, narrow: &Rule, definitions: &[ToolDefinition]) -> bool {
    let definition = |name: &str| definitions.iter().find(|definition| definition.name == name);
    let subject = match (&wide.subject, &narrow.subject) {
        (wide, narrow) if wide == narrow => true,
        (Subject::Tools(wide), Subject::Tool(name)) => wide.fits(name),
        (Subject::Tools(wide), Subject::Tools(narrow)) => wide.covers(narrow),
        (Subject::Tools(wide), Subject::Module(_) | Subject::Risk(_)) => {
            wide.fits(&switchboard_sandbox::shell::UNKNOWN.to_string())
        }
        (wide @ (Subject::Module(_) | Subject::Risk(_)), Subject::Tool(name)) => {
            definition(name).is_some_and(|definition| wide.is(definition, None))
        }
        _ => false,
    };
    let pattern = match (&wide.pattern, &narrow.pattern) {
        (None, _) => true,
        (Some(Pattern::Argument { name, text }), Some(Pattern::Argument { name: other, text: narrow })) => {
            name == other && text.covers(narrow)
        }
        (Some(Pattern::Main { text, files }), Some(Pattern::Main { text: other, files: others })) => {
            let is_tool = narrow.subject != Subject::Network;
            let mut kinds = definitions.iter().filter(|one| narrow.subject.is(one, None)).map(Main::of);
            match (files, others) {
                (Ok(files), Ok(others)) if is_tool && kinds.all(|kind| kind == Main::Files) => files.covers(others),
                _ => text.covers(other),
            }
        }
        _ => false,
    };
    subject && pattern
}
