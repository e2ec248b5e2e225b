"""Keeps bookings in SQLite."""

import json
import sqlite3


def open_store(path):
    db = sqlite3.connect(path)
    db.execute("create table if not exists booking (name, arrival, nights, ages)")
    return db


def save(db, booking):
    db.execute(
        "insert into booking values (?, ?, ?, ?)",
        (booking.name, booking.arrival.isoformat(), booking.nights, json.dumps(booking.ages)),
    )
    # FIXME: commit once per batch
    db.commit()
