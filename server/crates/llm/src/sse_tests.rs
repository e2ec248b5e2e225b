//! Claims about server-sent events, however they are split.

use proptest::prelude::*;

use super::*;

fn read(pieces: &[&[u8]]) -> Vec<SseEvent> {
    let (mut reader, mut events) = (SseReader::default(), Vec::new());
    for piece in pieces {
        reader.feed(piece, &mut events).expect("it is small");
    }
    reader.finish(&mut events);
    events
}

fn data(events: &[SseEvent]) -> Vec<&str> {
    events.iter().map(|event| event.data.as_str()).collect()
}

#[test]
fn e08_every_line_ending_means_the_same() {
    for ending in ["\n", "\r\n", "\r"] {
        let text = ["event: a", "data: 1", "", ": a comment", "data: 2", "data: 3", "", "data: 4"].join(ending);
        let events = read(&[text.as_bytes()]);
        assert_eq!(data(&events), ["1", "2\n3", "4"], "{ending:?}");
        assert_eq!(events[0].event, "a");
        assert_eq!(events[1].event, "");
    }
}

#[test]
fn e08_a_byte_order_mark_and_fields_nobody_knows_are_passed_over() {
    assert_eq!(data(&read(&[b"\xEF\xBB\xBFdata:1\n\nid: 7\nretry: 1\nnonsense\n\ndata\n\n"])), ["1", ""]);
}

#[test]
fn e09_an_event_without_an_end_is_refused_before_it_fills_the_memory() {
    let (mut reader, mut events) = (SseReader::default(), Vec::new());
    let piece = vec![b'x'; 64 * 1024];
    let taken = (0..1024).take_while(|_| reader.feed(&piece, &mut events).is_ok()).count();
    assert!(taken <= MAX_EVENT_BYTES / piece.len());
    assert!(reader.line.capacity() <= 2 * MAX_EVENT_BYTES);

    let (mut reader, mut events) = (SseReader::default(), Vec::new());
    let line = [b"data: ".as_slice(), &piece, b"\n"].concat();
    let taken = (0..1024).take_while(|_| reader.feed(&line, &mut events).is_ok()).count();
    assert!(taken <= MAX_EVENT_BYTES / piece.len(), "many lines of one event are as bad as one long line");
}

proptest! {
    #[test]
    fn e08_every_split_gives_the_same_events(
        texts in prop::collection::vec("[a-zäöü€😀 :]{0,12}", 1..6),
        ending in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        last_blank in any::<bool>(),
    ) {
        let mut text: String =
            texts.iter().map(|text| format!(": note{ending}data: {text}{ending}{ending}")).collect();
        if !last_blank {
            text.truncate(text.len() - 2 * ending.len());
        }
        let bytes = text.as_bytes();
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        let pieces: Vec<&[u8]> = places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        let single: Vec<&[u8]> = bytes.chunks(1).collect();

        let whole = read(&[bytes]);

        prop_assert_eq!(data(&whole), texts.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(&read(&pieces), &whole);
        prop_assert_eq!(&read(&single), &whole);
    }
}
