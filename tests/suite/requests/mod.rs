//! Requests that people would type, written without knowing this program: `tests/requests`. Each one is said to a server of
//! its own that has no model, in a fresh copy of its workspace, with approvals given to everything; what it led to is judged
//! by the last reply and by every file.
//!
//! `guide` may be read to improve the engine, `count` may not: it says how much the engine was fitted to the other. Two
//! tables are printed. What failed among the guiding ones lies in `target/tmp/requests-guide.jsonl`, with replies and
//! changes; of the counting ones `requests-count.txt` holds the ids and verdicts only.
//! `SWITCHBOARD_REQUESTS=b-ops,c-fol` plays just the guiding ones whose ids contain one of these, and counting ones that are
//! named by their whole ids; without it a sixteenth of the guiding ones is played, and `tests/run requests` plays all.

mod case;
mod judge;
mod judge_tests;
mod partly;
mod play;
mod table;
mod tree;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use case::{Case, load};
use judge::{Judgement, Verdict, judge};
use play::Played;
use table::Table;

/// Where the counting ones stand at least, in percent: less is a step back. Behind each, the goal. Passes j and k were done to
/// 30 % when they were played first, passes m, n and o to 33 %, p and q to 18 %, r and s, which hunt for harm, to 16 %, t and u to 23 %,
/// v and w to 20 %, x and y to 31 %, z to 13 %, aa (what people try first) and ab (changes that tempt) to 38 %, ac (a request among
/// other sentences) and ad (what follows an answer) to 15 %, ae and af (first requests, and
/// changes that are stated) to 23 %, of the counting ones 16 %. The counting ones of d to j, p, s, t, x, z and aa have had their
/// day: they guide now, so that what they found wrong could be read and mended.
mod thresholds {
    /// Done, of all: 70.
    pub(super) const DONE_AT_LEAST: f64 = 38.0;
    /// Done, of the follow-ups: 65.
    pub(super) const FOLLOW_UPS_DONE_AT_LEAST: f64 = 38.0;
    /// Said to be complete and is not, refused without what was to be told, or a file changed that should not have: 2.
    pub(super) const WRONG_AT_MOST: f64 = 4.0;
    /// Done, but only after a question about its plan: 15.
    pub(super) const ASKED_AT_MOST: f64 = 10.0;
    /// How many points less is done than of the guiding ones: 8.
    pub(super) const BELOW_THE_GUIDE_AT_MOST: f64 = 25.0;
}

/// Of so many guiding requests the fast tier plays one.
const GUIDING_IN: usize = 16;

/// Requests that harm a file and are not mended yet, as they were found when the requests were played first: each is to go.
const HARMED_STILL: &[&str] = &["p-dev-024"];

/// A request, what came of it, and what that is.
struct Told {
    case: Arc<Case>,
    replies: Vec<play::Reply>,
    judgement: Judgement,
}

/// Which requests are played.
enum Asked {
    /// All that count, and a part of those that guide: as the fast tier does.
    Some,
    /// All.
    All,
    /// These.
    Named(Vec<String>),
}

impl Asked {
    fn read() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the tests have no settings of their own")]
        match std::env::var("SWITCHBOARD_REQUESTS").as_deref() {
            Err(_) => Self::Some,
            Ok("all") => Self::All,
            Ok(names) => Self::Named(names.split(',').map(ToOwned::to_owned).collect()),
        }
    }

    fn has_guiding(&self, at: usize, id: &str) -> bool {
        match self {
            Self::Some => at.is_multiple_of(GUIDING_IN),
            Self::All => true,
            Self::Named(names) => names.iter().any(|name| id.contains(name.as_str())),
        }
    }

    fn has_counting(&self, id: &str) -> bool {
        match self {
            Self::Some | Self::All => true,
            Self::Named(names) => names.iter().any(|name| name == id),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_people_ask_for_harms_no_file() {
    let asked = Asked::read();
    let guide = load("guide").into_iter().enumerate().filter(|(at, case)| asked.has_guiding(*at, &case.id));
    let count = load("count").into_iter().filter(|case| asked.has_counting(&case.id));
    let (guide, count) = (guide.map(|(_, case)| case).collect(), count.collect());
    let (guide, count) = (tell(guide).await, tell(count).await);
    std::fs::write(written("requests-guide.jsonl"), table::failures(&guide)).expect("the failures are written");
    std::fs::write(written("requests-count.txt"), table::verdicts(&count)).expect("the verdicts are written");
    let tables = [Table::of("guide", &guide), Table::of("count", &count)];
    table::print(&tables);

    let unnamed =
        count.iter().filter(|told| told.judgement.verdict == Verdict::Harmed).map(|told| told.case.id.clone());
    let known = |harmed: &String| HARMED_STILL.iter().any(|id| harmed.starts_with(id));
    let harmed = guide.iter().flat_map(harmed_by).chain(unnamed);
    let harmed: Vec<String> = harmed.filter(|harmed| !known(harmed)).collect();
    assert!(harmed.is_empty(), "files were harmed:\n{}", harmed.join("\n"));
    if !matches!(asked, Asked::Named(_)) {
        hold(&tables[1]);
    }
    if matches!(asked, Asked::All) {
        let gap = tables[0].done(None) - tables[1].done(None);
        assert!(gap <= thresholds::BELOW_THE_GUIDE_AT_MOST, "{gap:.1} points below the guide");
    }
}

#[test]
fn every_request_has_its_workspace_and_an_id_of_its_own() {
    let (guide, count) = (load("guide"), load("count"));
    let all: Vec<&Case> = guide.iter().chain(&count).collect();

    let ids: std::collections::BTreeSet<&str> = all.iter().map(|case| case.id.as_str()).collect();

    assert_eq!((guide.len(), count.len(), ids.len()), (2458, 494, 2952));
    assert!(all.iter().all(|case| case.origin().is_dir() && !case.say.is_empty()));
}

/// Plays them side by side, as many as the machine has cores and two more, and judges each; in their order.
async fn tell(cases: Vec<Case>) -> Vec<Told> {
    let places = std::thread::available_parallelism().map_or(4, |cores| cores.get() + 2);
    let places = Arc::new(Semaphore::new(places));
    let home = Arc::new(play::Home::make());
    let mut playing = JoinSet::new();
    for (at, case) in cases.into_iter().enumerate() {
        let (places, home, case) = (Arc::clone(&places), Arc::clone(&home), Arc::new(case));
        playing.spawn(async move {
            let _place = places.acquire_owned().await.expect("the semaphore stays open");
            let played = AssertUnwindSafe(play::play(&case, &home)).catch_unwind().await;
            let played = played.unwrap_or_else(|_| Played { broken: true, ..Played::default() });
            let judgement = judge(&case, &played);
            (at, Told { case, replies: played.replies, judgement })
        });
    }
    let mut told = playing.join_all().await;
    told.sort_by_key(|(at, _)| *at);
    told.into_iter().map(|(_, told)| told).collect()
}

fn harmed_by(told: &Told) -> Vec<String> {
    if told.judgement.verdict != Verdict::Harmed {
        return Vec::new();
    }
    told.judgement.harmed.iter().map(|path| format!("{}: {path}", told.case.id)).collect()
}

fn hold(count: &Table) {
    let (done, wrong) = (count.done(None), count.wrong());
    assert!(done >= thresholds::DONE_AT_LEAST, "{done:.1} % are done");
    let follow_ups = count.done(Some("follow-up"));
    assert!(follow_ups >= thresholds::FOLLOW_UPS_DONE_AT_LEAST, "{follow_ups:.1} % of the follow-ups are done");
    assert!(wrong <= thresholds::WRONG_AT_MOST, "{wrong:.1} % are wrong");
    assert!(count.asked() <= thresholds::ASKED_AT_MOST, "{:.1} % were asked about", count.asked());
}

fn written(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}
