//! Server-sent events out of bytes that come in any pieces: every line ending, comments, a byte-order mark, characters
//! that are split, an end without a blank line. Bounded: an event that grows past [`MAX_EVENT_BYTES`] is refused.

/// The largest event, and the longest line.
pub(super) const MAX_EVENT_BYTES: usize = 1024 * 1024;

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// Its kind; empty: not named.
    pub(super) event: String,
    /// Its data, lines joined by `\n`.
    pub(super) data: String,
}

/// An event is larger than it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLarge;

/// Takes bytes, gives events.
#[derive(Debug, Default)]
pub(super) struct SseReader {
    line: Vec<u8>,
    event: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    after_return: bool,
    begun: bool,
}

impl SseReader {
    /// Takes the next bytes; what they complete is pushed to `events`.
    pub(super) fn feed(&mut self, bytes: &[u8], events: &mut Vec<SseEvent>) -> Result<(), TooLarge> {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (part, ending) = (&rest[..end], rest[end]);
            rest = &rest[end + 1..];
            let second_half = ending == b'\n' && self.after_return && part.is_empty() && self.line.is_empty();
            self.after_return = ending == b'\r';
            if second_half {
                continue;
            }
            self.grow(part)?;
            self.end_line(events);
        }
        if !rest.is_empty() {
            self.after_return = false;
        }
        self.grow(rest)
    }

    /// The bytes have ended; an event without its blank line counts.
    pub(super) fn finish(&mut self, events: &mut Vec<SseEvent>) {
        if !self.line.is_empty() {
            self.end_line(events);
        }
        self.end_event(events);
    }

    fn grow(&mut self, part: &[u8]) -> Result<(), TooLarge> {
        if self.line.len() + self.data.len() + part.len() > MAX_EVENT_BYTES {
            return Err(TooLarge);
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.begun, true) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if line.is_empty() {
            self.end_event(events);
            return;
        }
        let (field, value) = match line.iter().position(|&byte| byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (&line[..], &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
            }
            b"event" => self.event = value.to_vec(),
            // Comments, ids, and what nobody knows.
            _ => {}
        }
        // The buffer is used again.
        line.clear();
        self.line = line;
    }

    fn end_event(&mut self, events: &mut Vec<SseEvent>) {
        let (event, data) = (std::mem::take(&mut self.event), std::mem::take(&mut self.data));
        if std::mem::take(&mut self.has_data) {
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            events.push(SseEvent { event: text(event), data: text(data) });
        }
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
