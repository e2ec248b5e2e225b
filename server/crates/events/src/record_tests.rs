//! The bytes of a record: what goes in comes out, and nothing can change in between unseen.

use switchboard_protocol::{MessageId, SessionId};

use super::*;
use crate::EncodedEvent;

fn append(session: SessionId, expected: u64, frames: &[&str]) -> Append {
    let event = |(place, frame): (usize, &&str)| EncodedEvent {
        at: "2026-01-01T00:00:00.000Z".to_owned(),
        frame: (*frame).into(),
        private: (place == 1).then(|| "".into()),
    };
    let events = frames.iter().enumerate().map(event).collect();
    let (blobs, opened, closed) = (Vec::new(), Vec::new(), Vec::new());
    Append { session, expected, events, blobs, opened, closed, title: None, urgent: true }
}

fn encoded(session: SessionId, appends: &[Append]) -> (Vec<u8>, u32) {
    let mut writer = RecordWriter::new(session, appends[0].expected + 1, 7);
    appends.iter().for_each(|append| writer.add(append));
    writer.finish()
}

#[test]
fn a_record_comes_back_as_it_was_written() {
    let session = SessionId::random();
    let ids = |ids: &[&str]| ids.iter().map(|id| MessageId::from(*id)).collect::<Vec<_>>();
    let mut appends = [append(session, 4, &["one", "two", "drei \u{fc}"]), append(session, 7, &["four"])];
    appends[0].opened = ids(&["m1", "m2"]);
    appends[0].closed = ids(&["m0", "m3"]);
    appends[1].opened = ids(&["m3"]);
    appends[1].title = Some("title".to_owned());

    let (bytes, checksum) = encoded(session, &appends);
    let record = Record::decode(&bytes).expect("sound");

    assert_eq!((record.session(), record.first(), record.last()), (session, 5, 8));
    assert_eq!((record.previous(), record.checksum()), (7, checksum));
    let texts = |frame, private| EventTexts { at: "2026-01-01T00:00:00.000Z", frame, private };
    assert_eq!(record.event(5), Ok(texts("one", None)));
    assert_eq!(record.event(6), Ok(texts("two", Some(""))), "an empty text is another than none");
    assert_eq!(record.event(7), Ok(texts("drei \u{fc}", None)));
    assert_eq!(record.event(8), Ok(texts("four", None)));
    assert_eq!((record.event(4), record.event(9)), (Err(RecordDamage::Missing), Err(RecordDamage::Missing)));
    let notes = RecordNotes { opened: ids(&["m1", "m2", "m3"]), closed: ids(&["m0"]), title: Some("title".into()) };
    assert_eq!(record.notes(), Ok(notes), "what was closed and is open again is open");
}

#[test]
fn no_byte_of_it_can_change_unseen() {
    let session = SessionId::random();
    let appends = [Append { title: Some("t".to_owned()), ..append(session, 0, &["one", "two", "three"]) }];
    let (bytes, _) = encoded(session, &appends);
    let whole: Vec<EventTexts<'_>> = {
        let record = Record::decode(&bytes).expect("sound");
        (1..=3).map(|seq| record.event(seq).expect("sound")).collect()
    };

    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x40;
        let Ok(record) = Record::decode(&changed) else { continue };
        let wrong: Vec<u64> = (1..=3).filter(|seq| record.event(*seq).is_err()).collect();
        assert_eq!(wrong.len(), 1, "byte {place} is one event's");
        for seq in (1..=3).filter(|seq| *seq != wrong[0]) {
            assert_eq!(record.event(seq), Ok(whole[seq as usize - 1]), "the others can be read");
        }
    }
    for length in 0..bytes.len() {
        let wrong = Record::decode(&bytes[..length]).and_then(|record| record.event(3).map(drop));
        assert_eq!(wrong, Err(RecordDamage::Checksum), "{length} bytes");
    }
}

#[test]
fn a_record_of_a_newer_form_is_told_from_a_damaged_one() {
    let session = SessionId::random();
    let (mut bytes, _) = encoded(session, &[append(session, 0, &["one"])]);
    bytes[0] = FORM + 1;

    assert_eq!(Record::decode(&bytes).map(drop), Err(RecordDamage::Form(2)));
}

#[test]
fn an_event_that_was_damaged_before_stays_so() {
    let session = SessionId::random();
    let mut writer = RecordWriter::new(session, 1, 0);
    for (frame, is_sound) in [(&b"one"[..], true), (b"tw\xff", false), (b"\xff", true), (b"four", true)] {
        writer.push(RawEvent { at: b"now", frame, private: None }, is_sound);
    }
    let (bytes, _) = writer.finish();
    let record = Record::decode(&bytes).expect("sound");

    assert_eq!(record.event(2), Err(RecordDamage::Checksum));
    assert_eq!(record.event(3), Err(RecordDamage::Text));
    assert_eq!(record.event(4).map(|event| event.frame), Ok("four"));
}

#[test]
fn the_form_stays_what_it_is() {
    let session = "0f4b8a1e-5d3c-4c1a-9f0e-3a7c5d2e8b61".parse().expect("an id");
    let appends = [Append { closed: vec!["m".into()], ..append(session, 0, &["{}", "[]"]) }];

    let (bytes, _) = encoded(session, &appends);

    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let written = concat!(
        "01",                               // form
        "0f4b8a1e5d3c4c1a9f0e3a7c5d2e8b61", // session
        "0100000000000000",                 // first
        "07000000",                         // previous
        "02000000",                         // events
        "10000000",                         // notes
        "18000000020000000000000000010ec3", // an event
        "1800000002000000010000006a05e46d", // another
        "7b22636c6f736564223a5b226d225d7d", // what was closed
        "bf85f240",                         // checksum
        "323032362d30312d30315430303a30303a30302e3030305a7b7d",
        "323032362d30312d30315430303a30303a30302e3030305a5b5d"
    );
    assert_eq!(text, written);
}
