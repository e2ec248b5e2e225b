//! The five success metrics of seed 000, 20 cases each: context awareness, tool chains, failure recovery, parameter
//! resolution, clear communication. `rules` decides itself; for `staged` and `native` an honest model is played, so that
//! what is measured is what Switchboard gives it and makes of its words; with `tests/run llm` a real model decides.
//! `tests/run metrics` writes the figures to docs/models.md.

mod case;
mod check;
mod honest;
mod play;
mod table;

use serde_json::json;
use switchboard_tests::{McpFolder, ScriptedLlm, ServerOptions, TestServer};

use self::case::{Sheet, sheets};
use self::honest::HonestModel;
use self::play::Pace;
use super::KINDS;
use super::real::RealModel;

/// How many of its 20 cases each metric must get right without a model, in the order of the sheets: as many as today.
const RULES_GET_RIGHT: [usize; 5] = [8, 10, 15, 16, 15];

/// What came of one sheet.
struct Score {
    metric: String,
    cases: usize,
    /// What went wrong, a line each.
    wrong: Vec<String>,
}

impl Score {
    fn right(&self) -> usize {
        self.cases - self.wrong.len()
    }
}

/// Plays all sheets, one after the other.
async fn measure(server: &TestServer, model: Option<&HonestModel>) -> Vec<Score> {
    let mut scores = Vec::new();
    for sheet in sheets() {
        scores.push(measure_one(server, sheet, model, Pace::Quick).await);
    }
    scores
}

/// Plays one sheet, each case in a session and a workspace of its own.
async fn measure_one(server: &TestServer, sheet: Sheet, model: Option<&HonestModel>, pace: Pace) -> Score {
    let mut wrong = Vec::new();
    for case in &sheet.case {
        if let Err(why) = play::play(server, &sheet, case, model, pace).await {
            println!("{}: {}: {why}", sheet.name, case.about);
            wrong.push(format!("{}: {why}", case.about));
        }
    }
    let Sheet { name, case, .. } = sheet;
    Score { metric: name, cases: case.len(), wrong }
}

/// A server with the tools that the seed's second example needs.
async fn server(folder: &McpFolder, more: ServerOptions) -> TestServer {
    let mut options = folder.options(json!({"test": folder.scripted("seed")}), &["--approve", "auto"]);
    options.arguments.extend(more.arguments);
    options.environment.extend(more.environment);
    let server = TestServer::start_with(options).await;
    server.until_tool("test__weather_backup").await;
    server
}

async fn without_a_model() -> Vec<Score> {
    let folder = McpFolder::default();
    measure(&server(&folder, ServerOptions::default()).await, None).await
}

async fn with_an_honest_model(kind: &str) -> Vec<Score> {
    let (folder, model) = (McpFolder::default(), HonestModel::default());
    let answering = model.clone();
    let llm = ScriptedLlm::start(move |asked| answering.answer(asked)).await;
    let server = server(&folder, ServerOptions::default().model(&llm.base_url(), kind)).await;
    measure(&server, Some(&model)).await
}

#[tokio::test]
async fn the_success_metrics_hold_without_a_model() {
    let scores = without_a_model().await;

    for (score, least) in scores.iter().zip(RULES_GET_RIGHT) {
        assert!(score.right() >= least, "{}: {} of {}: {:#?}", score.metric, score.right(), score.cases, score.wrong);
    }
}

#[tokio::test]
async fn the_success_metrics_hold_with_an_honest_model() {
    let mut all = Vec::new();
    for kind in KINDS {
        for Score { metric, wrong, .. } in with_an_honest_model(kind).await {
            all.extend(wrong.into_iter().map(|why| format!("{kind}, {metric}: {why}")));
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn there_are_five_metrics_with_twenty_cases_each() {
    let counted: Vec<(String, usize)> = sheets().into_iter().map(|sheet| (sheet.name, sheet.case.len())).collect();
    let names = ["context awareness", "tool chains", "failure recovery", "parameter resolution", "clear communication"];
    assert_eq!(counted, names.map(|name| (name.to_owned(), 20)));
}

#[tokio::test]
#[ignore = "measures, and writes to docs/models.md: tests/run metrics"]
async fn the_success_metrics_are_measured() {
    table::write("`rules`", &without_a_model().await);
    for kind in KINDS {
        table::write(&format!("`{kind}`, scripted"), &with_an_honest_model(kind).await);
    }
}

#[tokio::test]
#[ignore = "needs a language model: tests/run llm metrics"]
async fn the_success_metrics_are_measured_with_a_real_model() {
    let real = RealModel::from_environment();
    for kind in real.reasoners() {
        let folder = McpFolder::default();
        let server = server(&folder, real.behind(&kind)).await;
        for sheet in sheets().into_iter().filter(|sheet| real.measures(&sheet.name)) {
            // One at a time: a small machine needs half an hour for each.
            table::write(&format!("`{kind}`, small"), &[measure_one(&server, sheet, None, Pace::Patient).await]);
        }
    }
}
