//! Random faults of servers, of NATS servers and of the links between them, under the load of many sessions: nothing that was
//! acknowledged is lost, nothing is repeated, and no two servers write a session at once.

mod clients;
mod cut_off;
mod faults;
mod history;
mod link;
mod machines;
mod namespaces;
mod nats_servers;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use switchboard_store::NatsOptions;
use switchboard_store::test_support::{Written, written};
use switchboard_tests::request;
use tokio::task::JoinSet;
use uuid::Uuid;

use self::clients::{Board, Counts, converse};
use self::faults::Injector;
use self::history::{Failover, Figures};
use self::machines::Machines;
use crate::talk::{Talk, check_files};

/// For how many seconds faults are injected beside the other tests, unless `SWITCHBOARD_TEST_CLUSTER_SECONDS` says it.
const SHORT_SECONDS: u64 = 300;
/// For how many minutes they are when asked for, unless `SWITCHBOARD_TEST_CLUSTER_MINUTES` says it.
const LONG_MINUTES: u64 = 30;
/// How many sessions there are beside the other tests, and when asked for.
const SESSIONS: [usize; 2] = [12, 50];
/// How long a session pauses between two messages, at most: servers and NATS share the machine with whoever asks.
const PAUSE: Duration = Duration::from_secs(6);
/// A failover that takes longer is looked into.
const WORST: Duration = Duration::from_secs(15);

/// A number in the environment.
fn variable(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "the tests have no settings of their own")]
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is not a number: {value}")))
}

#[tokio::test(flavor = "multi_thread")]
async fn random_faults_lose_and_repeat_nothing_and_no_two_servers_write_a_session() {
    let seconds = variable("SWITCHBOARD_TEST_CLUSTER_SECONDS").unwrap_or(SHORT_SECONDS);
    inject(Duration::from_secs(seconds), SESSIONS[0], false).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs for half an hour: tests/run cluster"]
async fn random_faults_under_the_load_of_fifty_sessions_lose_and_repeat_nothing() {
    let minutes = variable("SWITCHBOARD_TEST_CLUSTER_MINUTES").unwrap_or(LONG_MINUTES);
    inject(Duration::from_secs(60 * minutes), SESSIONS[1], true).await;
}

/// Lets so many sessions work while faults are injected for so long, `apart` on machines of their own if there may be some, and
/// checks them.
async fn inject(length: Duration, sessions: usize, apart: bool) {
    let seed = variable("SWITCHBOARD_TEST_CLUSTER_SEED").unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed} (SWITCHBOARD_TEST_CLUSTER_SEED)");
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut machines = Machines::start(apart).await;
    std::fs::write(machines.workspace().join("notes.txt"), "Notes.\n").expect("a file");
    let board = Arc::new(Board::new(machines.addresses()));
    let begun =
        (0..sessions).map(async |number| Talk::begin(machines.client(number).await, number).await.pausing(PAUSE));
    let talks = join_all(begun).await;

    let sessions: Vec<Uuid> = talks.iter().map(|talk| talk.session).collect();
    let mut clients = JoinSet::new();
    for talk in talks {
        clients.spawn(converse(talk, Arc::clone(&board), machines.workspace(), rng.fork()));
    }
    let nats = machines.nats_addresses();
    let mut injector = Injector::new(&mut machines, &board, rng, variable("SWITCHBOARD_TEST_CLUSTER_KILLS").is_some());
    let ended = tokio::select! {
        () = injector.run(Instant::now() + length) => None,
        Some(ended) = clients.join_next() => Some(ended),
    };
    if let Some(ended) = ended {
        tell_odd_authors(&nats, &sessions).await;
        panic!("a client ended early: {:?}", ended.err());
    }
    let struck = injector.into_counts();
    board.end();
    let (talks, counts): (Vec<Talk>, Vec<Counts>) = clients.join_all().await.into_iter().unzip();

    check_files(&machines.workspace());
    let addresses = machines.addresses();
    let options = NatsOptions { servers: machines.nats_addresses(), ..NatsOptions::default() };
    let (mut doubts, mut counts) = (0, Counts::sum(counts));
    for (number, talk) in talks.iter().enumerate() {
        doubts += talk.check(&machines.workspace(), &addresses[number % addresses.len()]).await;
        let session = talk.session.to_string().parse().expect("an id");
        let all = written(&options, session).await.expect("its messages");
        check_authors(&all, talk.seen.len() as u64);
        let is_other = |Failover { session, events: (before, after), .. }: &Failover| {
            *session != talk.session || author(&all, *before) != author(&all, *after)
        };
        counts.failovers.retain(is_other);
    }
    for address in addresses {
        assert_eq!(request(&address, "GET", "/readyz", &[], b"").await.status, 200);
    }
    for Failover { session, took, is_alone, served, .. } in counts.failovers.iter().filter(|one| one.took > WORST) {
        let ago = served.elapsed();
        machines.note(&format!("session {session} was served {ago:.1?} ago after {took:.1?}, alone: {is_alone}"));
        machines.keep_logs();
    }
    tell(&struck, &talks, &counts, doubts);
}

/// Who wrote an event.
fn author(all: &[Written], event: u64) -> Option<&String> {
    all.iter().find(|message| !message.is_claim && message.last >= event).map(|message| &message.by)
}

/// One server writes under each claim, and the next one claims the session first.
fn check_authors(all: &[Written], events: u64) {
    let mut before: Option<&Written> = None;
    for message in all {
        let is_same = before.is_some_and(|before| (before.epoch, &before.by) == (message.epoch, &message.by));
        let is_next = message.is_claim && message.epoch == before.map_or(0, |before| before.epoch) + 1;
        assert!(is_same || is_next, "{message:?} stands behind {before:?}");
        before = Some(message);
    }
    assert_eq!(before.map(|message| message.last), Some(events), "they have all events");
}

/// Says which sessions have messages in NATS that do not follow one another, with those about them.
async fn tell_odd_authors(nats: &[String], sessions: &[Uuid]) {
    let options = NatsOptions { servers: nats.to_vec(), ..NatsOptions::default() };
    for session in sessions {
        let all = match written(&options, session.to_string().parse().expect("an id")).await {
            Ok(all) => all,
            Err(error) => {
                println!("session {session}: {error}");
                continue;
            }
        };
        let follows = |pair: &[Written]| {
            pair[0].last <= pair[1].last && pair[1].epoch == pair[0].epoch + u64::from(pair[1].is_claim)
        };
        let odd = all.windows(2).enumerate().filter(|(_, pair)| !follows(pair));
        odd.for_each(|(at, _)| println!("session {session}: {:#?}", &all[at.saturating_sub(2)..all.len().min(at + 5)]));
        println!("session {session}: {:?}", all.last());
    }
}

fn tell(struck: &BTreeMap<String, usize>, talks: &[Talk], counts: &Counts, doubts: usize) {
    let total: usize = struck.values().sum();
    println!("{total} faults: {struck:?}");
    let events: usize = talks.iter().map(|talk| talk.seen.len()).sum();
    let ends = |talk: &Talk| talk.seen.iter().filter(|frame| frame["messageIds"].is_array()).count();
    let turns: usize = talks.iter().map(ends).sum();
    let (sessions, Counts { reconnects, refusals, closed, failovers }) = (talks.len(), counts);
    println!("{sessions} sessions: {turns} turns, {events} events, {doubts} commands in doubt");
    println!("{reconnects} reconnects (close codes {closed:?}), {refusals} refusals");
    println!(
        "from the kill of a session's server, or from when two NATS servers were there again, until a client of the session \
         was served:"
    );
    println!("  nothing else wrong meanwhile: {}", Figures::of(failovers, true));
    println!("  something else wrong, too:    {}", Figures::of(failovers, false));
}
