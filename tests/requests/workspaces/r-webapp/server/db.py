import os
import sqlite3

DB_URL = os.environ.get("DB_URL", "sqlite:///data/tide.sqlite3")
TIMEOUT = 10


def connect():
    # FIXME: close connections
    return sqlite3.connect(DB_URL.replace("sqlite:///", ""), timeout=TIMEOUT)


def list_stations():
    with connect() as con:
        return [row[0] for row in con.execute("select name from station order by name")]


def get_station(slug):
    with connect() as con:
        return con.execute("select * from station where slug = ?", (slug,)).fetchone()
