//! One turn of the rules: takes the plan's goals one by one, answers what the context answers, and asks for a tool for
//! the rest.

use async_trait::async_trait;
use serde_json::Map;

use super::answers;
use super::ask::{Answer, answer};
use super::asked::choose_asked;
use super::choose::{Choice, choose, instead};
use super::divide::parts;
use super::explain::{Trouble, explain};
use super::focus::Focus;
use super::foreign::{Call, choose_freely};
use super::given::{fit_references, settle};
use super::goal::{Act, Goal, Role, Skill, Source};
use super::plan::Plan;
use super::reply::{Section, Weight, section_of, together};
use super::show::cut_line;
use super::{words_for, written};
use switchboard_agent::{
    Attempt, CandidateTool, Decision, Lacking, NeedAnalysis, NextAction, ReasonerError, Reply, ToolSelection,
    TurnContext, TurnReasoner,
};

/// The rules in one turn.
#[derive(Default)]
pub(super) struct RulesTurn {
    plan: Plan,
    /// What the next call is for.
    current: Option<Act>,
    sections: Vec<Section>,
    trouble: Option<Trouble>,
    /// What to say when no tool answers a question that the context does not answer.
    note: Option<String>,
}

/// What a goal came to without a tool.
enum WorkedOut {
    /// It is answered, for this reason.
    Said(String),
    /// A tool must bring what it is about.
    Needs(Next),
    Not,
}

/// What comes next.
enum Next {
    Act(NextAction, String),
    Done(String),
}

#[async_trait]
impl TurnReasoner for RulesTurn {
    async fn analyze_tool_need(
        &mut self,
        scene: &TurnContext<'_>,
        _found: &[CandidateTool],
    ) -> Result<NeedAnalysis, ReasonerError> {
        let next = self.advance(scene).await?;
        let meant = self.plan.meant.take().map(|meant| format!("You mean \"{meant}\". ")).unwrap_or_default();
        Ok(match next {
            Next::Act(action, why) => NeedAnalysis::tools(action, meant + &why),
            Next::Done(why) => NeedAnalysis::answered(self.reply(scene), meant + &why),
        })
    }

    async fn select_best_tool(
        &mut self,
        scene: &TurnContext<'_>,
        candidates: &[CandidateTool],
        failed: Option<&Attempt>,
    ) -> Result<ToolSelection, ReasonerError> {
        let Some(act) = self.current.clone() else { return Ok(ToolSelection::none("There is nothing to do.")) };
        let given = match settle(&act, scene, &Focus::of(scene.view)).await {
            Ok(given) => given,
            Err(unclear) => {
                let reasoning = format!("I cannot tell {unclear}.");
                self.trouble = Some(Trouble::Unclear(unclear));
                return Ok(ToolSelection::none(reasoning));
            }
        };
        let choice = match failed {
            Some(attempt) => instead_of(&act, &given, attempt, scene, candidates),
            None if scene.bound_to().is_some() && !act.planned => {
                let (choice, rest) = choose_asked(&act, &given, candidates);
                self.plan_calls(&act, rest);
                choice
            }
            None if act.is_foreign() && given.is_empty() => self.freely(&act, candidates),
            None => choose(&act, &given, candidates),
        };
        self.selection(&act, choice, candidates, scene).await
    }

    async fn decide_continue_or_complete(&mut self, scene: &TurnContext<'_>) -> Result<Decision, ReasonerError> {
        self.note = None;
        self.take_result(scene);
        Ok(match self.advance(scene).await? {
            Next::Act(action, why) => Decision::go_on(action, why),
            Next::Done(why) => Decision::ended(self.reply(scene), why),
        })
    }

    fn reads_first(&self) -> bool {
        true
    }

    async fn explain_tool_limitations(
        &mut self,
        scene: &TurnContext<'_>,
        candidates: &[CandidateTool],
        _selection: &ToolSelection,
    ) -> Result<String, ReasonerError> {
        let act = self.current.take();
        let trouble = self.trouble.take().unwrap_or(Trouble::NoTool);
        let explanation = match self.note.take() {
            Some(note) => note,
            None => explain(&trouble, act.as_ref(), scene, candidates),
        };
        self.sections.push(Section { text: explanation, weight: Weight::Result, complete: false });
        Ok(self.reply(scene).text)
    }
}

impl RulesTurn {
    /// Answers goals until one needs a tool.
    async fn advance(&mut self, scene: &TurnContext<'_>) -> Result<Next, ReasonerError> {
        self.plan.take_in(scene);
        let focus = Focus::of(scene.view);
        let mut why = match scene.attempts.is_empty() {
            true => "There is nothing to be done.".to_owned(),
            false => "Everything that was asked for is done.".to_owned(),
        };
        while let Some(goal) = self.plan.goals.front().cloned() {
            match self.worked_out(&goal, scene, &focus).await? {
                WorkedOut::Said(reason) => {
                    why = reason;
                    self.plan.goals.pop_front();
                    continue;
                }
                WorkedOut::Needs(next) => return Ok(next),
                WorkedOut::Not => {}
            }
            match goal {
                Goal::Talk(talk) => {
                    why = "This is talk between people: it needs no tool.".to_owned();
                    self.say(words_for::reply(talk, scene.registry), true);
                }
                Goal::Unclear(question) => {
                    why = "The request could mean several things.".to_owned();
                    self.say(question, false);
                }
                // Named results are given to their act when the plan is made.
                Goal::Name(_) => {}
                Goal::Act(act) => match repeated(&act, &focus) {
                    Ok(act) => return Ok(self.call(act)),
                    Err(text) => self.say(text, false),
                },
                Goal::Ask(question) => match answer(&question, scene, &focus).await? {
                    Answer::Said { text, complete, why: reason } => {
                        why = reason;
                        self.say(text, complete);
                    }
                    Answer::Needs(act) if self.was_tried(&act, scene) => {
                        self.say("I could not find out more about that.".to_owned(), false);
                    }
                    Answer::Needs(act) => return Ok(self.call(act)),
                    Answer::Rather(act) => {
                        self.plan.goals[0] = Goal::Act(act);
                        continue;
                    }
                    Answer::Unknown(note) => {
                        self.note = note;
                        self.plan.goals[0] = Goal::Act(Act::new(Skill::Other, &question.clause));
                        continue;
                    }
                },
            }
            self.plan.goals.pop_front();
        }
        Ok(Next::Done(why))
    }

    /// Answers a goal from what there is, if it is a question to a table or asks for a summary.
    async fn worked_out(
        &mut self,
        goal: &Goal,
        scene: &TurnContext<'_>,
        focus: &Focus,
    ) -> Result<WorkedOut, ReasonerError> {
        Ok(match answers::answer(goal, scene, focus).await? {
            Some(Answer::Said { text, complete, why }) => {
                self.say(text, complete);
                WorkedOut::Said(why)
            }
            Some(Answer::Needs(act)) if scene.attempts.is_empty() => {
                if let Some(question) = answers::as_question(goal) {
                    self.plan.goals[0] = question;
                }
                WorkedOut::Needs(self.call(act))
            }
            _ => WorkedOut::Not,
        })
    }

    /// Whether a question asks for the same step again that has just been made for it.
    fn was_tried(&self, act: &Act, scene: &TurnContext<'_>) -> bool {
        let last = scene.latest().map(|attempt| attempt.tool.as_str());
        last == act.skill.tool() && self.current.is_none() && scene.attempts.len() > 8
    }

    fn call(&mut self, act: Act) -> Next {
        let text = match act.skill {
            Skill::Other => act.clause.text.clone(),
            skill => format!("{} ({})", act.clause.text, skill.words()),
        };
        let tools = act.tool.as_deref().or_else(|| act.skill.tool()).map(str::to_owned).into_iter().collect();
        let why = match (act.skill, &act.tool) {
            (_, Some(tool)) if act.planned => format!("The request asks for one more call, of {tool}."),
            (_, Some(tool)) => format!("You asked for {tool}."),
            (Skill::Other, None) => {
                "The request asks for something to be done or looked up; I look for a tool for it.".to_owned()
            }
            (skill, None) => format!("The request asks me to {}.", skill.words()),
        };
        let parts = if act.is_foreign() && !act.planned { parts(&text) } else { Vec::new() };
        self.current = Some(act);
        Next::Act(NextAction { text, tools, parts }, why)
    }

    /// A tool that no intent knows; what else the request asks for follows as calls of their own.
    fn freely(&mut self, act: &Act, candidates: &[CandidateTool]) -> Choice {
        let (choice, rest) = choose_freely(act, candidates);
        self.plan_calls(act, rest);
        choice
    }

    /// The other calls that an act asks for are goals of their own.
    fn plan_calls(&mut self, act: &Act, rest: Vec<Call>) {
        let is_goal = matches!(self.plan.goals.front(), Some(Goal::Act(_)));
        for (place, (tool, arguments)) in rest.into_iter().enumerate() {
            let call = Act { tool: Some(tool), exactly: Some(arguments), planned: true, ..act.clone() };
            self.plan.goals.insert(place + usize::from(is_goal), Goal::Act(call));
        }
    }

    async fn selection(
        &mut self,
        act: &Act,
        choice: Choice,
        candidates: &[CandidateTool],
        scene: &TurnContext<'_>,
    ) -> Result<ToolSelection, ReasonerError> {
        Ok(match choice {
            Choice::Tool { name, mut arguments, why } => {
                if let Err(question) = written::understood(act, &name, &mut arguments) {
                    return Ok(self.ask(question, name));
                }
                if let Some(tool) = candidates.iter().find(|tool| tool.definition.name == name) {
                    fit_references(&mut arguments, &tool.definition.parameters, scene).await;
                }
                ToolSelection {
                    selected_tool: Some(name),
                    reasoning: why,
                    parameters: arguments,
                    output_variable: act.output.clone(),
                    lacking: None,
                }
            }
            Choice::Missing { name, arguments, parameters } => {
                let reasoning =
                    format!("{name} could do it, but the request does not say its {}.", parameters.join(" and "));
                self.trouble = Some(Trouble::Missing { tool: name.clone(), parameters: parameters.clone() });
                let lacking = Some(Lacking { tool: name, arguments, parameters });
                ToolSelection { lacking, ..ToolSelection::none(reasoning) }
            }
            Choice::None => {
                self.trouble = Some(Trouble::NoTool);
                ToolSelection::none(match candidates.len() {
                    0 => "The search found no tool for this request.".to_owned(),
                    1 => "The one tool found is not made for this request.".to_owned(),
                    count => format!("None of the {count} tools found is made for this request."),
                })
            }
        })
    }

    /// Nothing is changed before this question is answered, and what was to follow is not done either.
    fn ask(&mut self, question: String, tool: String) -> ToolSelection {
        let rest = self.plan.goals.iter().skip(1).filter_map(|goal| match goal {
            Goal::Act(act) => Some(act.clause.text.as_str()),
            Goal::Ask(question) => Some(question.clause.text.as_str()),
            _ => None,
        });
        let rest: Vec<String> = rest.map(|text| format!("\n- {}", cut_line(text))).collect();
        let rest =
            if rest.is_empty() { String::new() } else { format!("\n\nNor have I done this:\n{}", rest.concat()) };
        self.trouble = Some(Trouble::Asks(question + &rest));
        let reasoning = format!("The request does not say what exactly {tool} is to write.");
        let lacking = Some(Lacking { tool, arguments: Map::new(), parameters: vec!["content".to_owned()] });
        ToolSelection { lacking, ..ToolSelection::none(reasoning) }
    }

    /// Keeps what the latest call gave for the reply; a call that only served a question is told in a line.
    fn take_result(&mut self, scene: &TurnContext<'_>) {
        let (Some(act), Some(attempt)) = (self.current.take(), scene.latest()) else { return };
        let was_goal = matches!(self.plan.goals.front(), Some(Goal::Act(_)));
        if was_goal {
            self.plan.goals.pop_front();
        }
        let serves = match self.plan.goals.front() {
            Some(Goal::Ask(question)) => !was_goal || question.source != Source::Context,
            Some(Goal::Act(next)) => uses_result(next) && matches!(act.skill, Skill::Read | Skill::Parse),
            _ => false,
        };
        self.sections.push(section_of(&act, attempt, serves));
    }

    fn say(&mut self, text: String, complete: bool) {
        self.sections.push(Section { text, weight: Weight::Result, complete });
    }

    fn reply(&mut self, scene: &TurnContext<'_>) -> Reply {
        if self.plan.cut {
            self.plan.cut = false;
            self.say(
                "Your message is longer than what my rules look at; I only looked at its beginning.".to_owned(),
                false,
            );
        }
        if self.sections.is_empty() {
            let text = format!(
                "I found nothing in your message to do. You can ask, for example:\n\n{}",
                words_for::examples(4)
            );
            return Reply { text, complete: false };
        }
        together(&self.sections, scene)
    }
}

/// Whether the next act takes what the last one gave.
fn uses_result(act: &Act) -> bool {
    act.given.iter().any(|(role, given)| *role == Role::Content && *given == super::goal::Given::That)
}

/// `Again` as the call that is meant.
fn repeated(act: &Act, focus: &Focus) -> Result<Act, String> {
    let again = !act.planned && act.exactly.as_ref().is_some_and(serde_json::Map::is_empty) && act.tool.is_none();
    if !again {
        return Ok(act.clone());
    }
    let Some(operation) = &focus.operation else {
        return Err("There is nothing to repeat yet: no tool has run in this session.".to_owned());
    };
    let skill = Skill::of_tool(&operation.tool);
    Ok(Act { skill, tool: Some(operation.tool.clone()), exactly: Some(operation.inputs.clone()), ..act.clone() })
}

fn instead_of(
    act: &Act,
    given: &[(Role, serde_json::Value)],
    attempt: &Attempt,
    scene: &TurnContext<'_>,
    candidates: &[CandidateTool],
) -> Choice {
    // What was not to be replaced is not replaced by another tool either.
    if attempt.arguments.get("overwrite") == Some(&serde_json::Value::Bool(false)) {
        return Choice::None;
    }
    let Some(tool) = scene.registry.get(&attempt.tool) else { return Choice::None };
    let message = attempt.outcome.result.failure.as_ref().map(|failure| failure.message.as_str()).unwrap_or_default();
    instead(act, given, &tool.spec().definition, message, candidates)
}
