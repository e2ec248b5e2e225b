//! What the index answers: conversations with the words in their title, and the newest places that have them.
//!
//! The work is bounded: so many rows are looked at, newest first, and only those that are shown are read.

use std::collections::HashMap;

use rusqlite::{Connection, params};
use switchboard_accounts::Principal;
use switchboard_events::{FoundPlace, SaidBy, TextPiece};
use switchboard_protocol::SessionId;

use super::words::{marks, pieces};
use crate::read::session_id;

/// How many places of a conversation are shown.
const PLACES: usize = 3;
/// How many places are looked at.
const LOOKED_AT: usize = 10_000;
/// How many words are shown around what was found.
const AROUND: u32 = 24;

/// A conversation in which something was found.
#[derive(Debug)]
pub(super) struct Hit {
    pub(super) session: SessionId,
    pub(super) title: Option<Vec<TextPiece>>,
    pub(super) places: Vec<FoundPlace>,
    changed: i64,
    rows: Vec<i64>,
}

/// The conversations, and whether there are more.
pub(super) fn find(
    connection: &Connection,
    owner: &Principal,
    expression: &str,
    limit: usize,
) -> rusqlite::Result<(Vec<Hit>, bool)> {
    let mut hits = in_titles(connection, owner, expression, limit)?;
    let more_titles = hits.len() > limit;
    hits.truncate(limit);
    let more_places = in_places(connection, owner, expression, limit, &mut hits)?;
    show(connection, expression, &mut hits)?;
    let mut hits: Vec<Hit> = hits.into_iter().map(|(_, hit)| hit).collect();
    hits.sort_by_key(|hit| (hit.title.is_none(), std::cmp::Reverse(hit.changed)));
    Ok((hits, more_titles || more_places))
}

type Hits = Vec<(i64, Hit)>;

fn in_titles(connection: &Connection, owner: &Principal, expression: &str, limit: usize) -> rusqlite::Result<Hits> {
    let (begin, end) = marks();
    let mut statement = connection.prepare_cached(
        "SELECT c.id, c.session, c.changed, highlight(titles, 0, ?3, ?4)
         FROM titles CROSS JOIN conversations c ON c.id = titles.rowid
         WHERE titles MATCH ?1 AND c.owner = ?2 ORDER BY titles.rowid DESC LIMIT ?5",
    )?;
    let most = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![expression, owner.as_str(), begin, end, most], |row| {
        let marked: String = row.get(3)?;
        Ok((row.get(0)?, hit(&row.get::<_, String>(1)?, row.get(2)?, Some(pieces(&marked)))?))
    })?;
    rows.collect()
}

/// Adds conversations with places, and places to those that are there; whether there are more.
fn in_places(
    connection: &Connection,
    owner: &Principal,
    expression: &str,
    limit: usize,
    hits: &mut Hits,
) -> rusqlite::Result<bool> {
    let mut at: HashMap<i64, usize> = hits.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
    let mut statement = connection.prepare_cached(
        "SELECT p.id, c.id, c.session, c.changed
         FROM words CROSS JOIN places p ON p.id = words.rowid CROSS JOIN conversations c ON c.id = p.conversation
         WHERE words MATCH ?1 AND c.owner = ?2 ORDER BY words.rowid DESC",
    )?;
    let mut rows = statement.query(params![expression, owner.as_str()])?;
    for _ in 0..LOOKED_AT {
        let Some(row) = rows.next()? else { return Ok(false) };
        let (place, conversation): (i64, i64) = (row.get(0)?, row.get(1)?);
        let found = match at.get(&conversation) {
            Some(found) => *found,
            None if hits.len() == limit => return Ok(true),
            None => {
                hits.push((conversation, hit(&row.get::<_, String>(2)?, row.get(3)?, None)?));
                at.insert(conversation, hits.len() - 1);
                hits.len() - 1
            }
        };
        let shown = &mut hits[found].1.rows;
        if shown.len() < PLACES {
            shown.push(place);
        }
    }
    Ok(true)
}

/// Reads the places that are shown, all in one pass: each look for a word's beginning costs anew.
fn show(connection: &Connection, expression: &str, hits: &mut Hits) -> rusqlite::Result<()> {
    let wanted: HashMap<i64, usize> =
        hits.iter().enumerate().flat_map(|(at, (_, hit))| hit.rows.iter().map(move |row| (*row, at))).collect();
    let (Some(first), Some(last)) = (wanted.keys().min(), wanted.keys().max()) else { return Ok(()) };
    let ids: Vec<String> = wanted.keys().map(i64::to_string).collect();
    let (begin, end) = marks();
    let mut statement = connection.prepare_cached(
        "SELECT words.rowid, p.seq, p.said_by, p.at, snippet(words, 0, ?4, ?5, '…', ?6)
         FROM words CROSS JOIN places p ON p.id = words.rowid
         WHERE words MATCH ?1 AND words.rowid BETWEEN ?2 AND ?3
           AND +words.rowid IN (SELECT value FROM json_each(?7)) ORDER BY words.rowid DESC",
    )?;
    let ids = format!("[{}]", ids.join(","));
    let mut rows = statement.query(params![expression, first, last, begin, end, AROUND, ids])?;
    while let Some(row) = rows.next()? {
        let Some(at) = wanted.get(&row.get(0)?) else { continue };
        let by = if row.get::<_, i64>(2)? == 0 { SaidBy::User } else { SaidBy::Agent };
        let marked: String = row.get(4)?;
        let seq = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
        hits[*at].1.places.push(FoundPlace { seq, by, at: row.get(3)?, pieces: pieces(&marked) });
    }
    Ok(())
}

fn hit(session: &str, changed: i64, title: Option<Vec<TextPiece>>) -> rusqlite::Result<Hit> {
    Ok(Hit { session: session_id(session, 1)?, title, places: Vec::new(), changed, rows: Vec::new() })
}
