//! One commit: what is refused in it, what goes on, and what becomes one record.

use switchboard_accounts::Principal;
use switchboard_events::test_support::{append, event};
use switchboard_events::{Append, EncodedEvent, Record};
use switchboard_protocol::SessionId;

use super::connection::Store;
use super::history::Standing;
use super::queue::{Job, Work};
use super::tests::folder;
use super::{SqliteOptions, append as appending, writer};

#[test]
fn in_one_batch_a_refused_append_takes_only_those_behind_it_down() {
    let folder = folder();
    let store = Store::new(folder.path(), SqliteOptions::default()).expect("a store");
    let connection = store.open_writer().expect("a connection");
    let (session, other) = (SessionId::random(), SessionId::random());
    let create = |session| Work::Create { session, owner: Principal::local() };
    let work = [
        create(session),
        create(other),
        Work::Append(append(session, 0, 2)),
        Work::Append(append(session, 3, 1)),
        Work::Append(append(other, 0, 1)),
        Work::Append(append(session, 4, 1)),
        Work::Append(append(session, 2, 1)),
        create(other),
        Work::Check,
    ];

    let batch: Vec<Job> = work.into_iter().map(|work| Job::new(work).0).collect();
    let standing = Standing::read(&connection).expect("read");
    let (outcomes, now) = writer::commit(&connection, &store, &batch, &standing).expect("committed");

    let texts: Vec<String> = outcomes
        .into_iter()
        .map(|outcome| outcome.map_or_else(|error| error.to_string(), |_| "done".to_owned()))
        .collect();
    let conflict =
        |expected| format!("append to session {session}: expected its last event to be {expected}, but it is 2");
    let exists = format!("create session {other}: it already exists");
    let done = || "done".to_owned();
    assert_eq!(texts, [done(), done(), done(), conflict(3), done(), conflict(4), done(), exists, done()]);
    assert_eq!(super::records::after(&connection, session, 0, 9).expect("read").len(), 3);
    assert_eq!(super::records::after(&connection, other, 0, 9).expect("read").len(), 1);
    assert_eq!(now, Standing::read(&connection).expect("read"), "the writer knows what the database says");
}

#[test]
fn what_one_commit_has_of_a_session_becomes_a_record() {
    let folder = folder();
    let store = Store::new(folder.path(), SqliteOptions::default()).expect("a store");
    let connection = store.open_writer().expect("a connection");
    let (session, other) = (SessionId::random(), SessionId::random());
    let create = |session| Work::Create { session, owner: Principal::local() };
    let opened = |expected, id: &str| Append { opened: vec![id.into()], ..append(session, expected, 1) };
    let closed = |expected, id: &str| Append { closed: vec![id.into()], ..append(session, expected, 1) };
    let large = EncodedEvent { frame: "x".repeat(70_000).into(), ..event(1) };
    let half = |seq| EncodedEvent { frame: "x".repeat(30_000).into(), ..event(seq) };
    let work = [
        create(session),
        create(other),
        Work::Append(opened(0, "m1")),
        Work::Append(append(other, 0, 2)),
        Work::Append(closed(1, "m1")),
        Work::Append(opened(2, "m2")),
        Work::Append(Append { events: vec![large], ..append(session, 3, 0) }),
        Work::Append(append(session, 4, 1)),
        Work::Pin { session, pinned: true },
        Work::Append(append(session, 5, 1)),
        Work::Append(append(session, 6, 1)),
        Work::Append(append(other, 2, 1)),
        Work::Append(Append {
            events: vec![half(4), half(5), half(6)],
            opened: vec!["m3".into()],
            ..append(other, 3, 0)
        }),
    ];
    let batch: Vec<Job> = work.into_iter().map(|work| Job::new(work).0).collect();

    let standing = Standing::read(&connection).expect("read");
    let (outcomes, now) = writer::commit(&connection, &store, &batch, &standing).expect("committed");

    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(now, Standing::read(&connection).expect("read"));
    let records = |number: i64| -> Vec<(u64, u64)> {
        let mut statement =
            connection.prepare("SELECT record FROM records WHERE key >> 32 = ?1 ORDER BY key").expect("prepared");
        let bytes = statement.query_map([number], |row| row.get::<_, Vec<u8>>(0)).expect("asked");
        let bytes = bytes.map(|bytes| bytes.expect("read"));
        let span = |bytes: Vec<u8>| Record::decode(&bytes).map(|record| (record.first(), record.last()));
        bytes.map(|bytes| span(bytes).expect("sound")).collect()
    };
    assert_eq!(records(1), [(1, 3), (4, 4), (5, 5), (6, 7)], "one is large, and one comes after something else");
    assert_eq!(records(2), [(1, 3), (4, 5), (6, 6)], "what is large is several");
    let open = |number: i64| -> String {
        connection.query_row("SELECT open FROM sessions WHERE number = ?1", [number], |row| row.get(0)).expect("one")
    };
    assert_eq!((open(1), open(2)), (r#"["m2"]"#.to_owned(), r#"["m3"]"#.to_owned()));
    assert_eq!(super::records::after(&connection, other, 0, 9).expect("read").len(), 6);
}

#[test]
fn the_list_knows_what_every_append_of_a_commit_says_also_if_they_are_several_records() {
    // Without their times, these would be one record.
    let small = |seq| EncodedEvent { frame: "x".repeat(250).into(), private: None, ..event(seq) };
    let appends = |session| {
        let mut appends: Vec<Append> = (0..250)
            .map(|expected| Append { events: vec![small(expected + 1)], ..append(session, expected, 0) })
            .collect();
        (appends[0].opened, appends[0].title) = (vec!["m1".into(), "m2".into()], Some("title".to_owned()));
        appends[1].closed = vec!["m2".into()];
        appends
    };
    for together in [true, false] {
        let folder = folder();
        let store = Store::new(folder.path(), SqliteOptions::default()).expect("a store");
        let connection = store.open_writer().expect("a connection");
        let session = SessionId::random();
        let mut work = vec![Work::Create { session, owner: Principal::local() }];
        if !together {
            work.extend(appends(session).into_iter().map(Work::Append));
        }
        let batch: Vec<Job> = work.into_iter().map(|work| Job::new(work).0).collect();
        let standing = Standing::read(&connection).expect("read");
        let (outcomes, mut now) = writer::commit(&connection, &store, &batch, &standing).expect("committed");
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        if together {
            let appends = appends(session);
            appending::append_all(&connection, &appends.iter().collect::<Vec<_>>(), &mut now).expect("written");
        }

        let count = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("counted");
        assert_eq!(count("SELECT count(*) FROM records"), 2, "{together}");
        let listed: (Option<String>, Option<String>, i64) = connection
            .query_row("SELECT title, open, last_seq FROM sessions", [], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .expect("listed");
        assert_eq!(listed, (Some("title".to_owned()), Some(r#"["m1"]"#.to_owned()), 250), "{together}");
    }
}
