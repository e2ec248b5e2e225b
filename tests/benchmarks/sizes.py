"""Logs in NATS with many sessions, copied from a recorded one: what they take, and how long what there is of them."""
import json, shutil, signal, statistics, tempfile, time, urllib.request
from pathlib import Path

from .nats_servers import MIB
from .programs import Switchboard, load, row

# How many records each copied session has at most, and how many turns it is copied from.
RECORDS, TURNS = 20, 10


def sizes(nats, count):
    """A log with so many sessions: what NATS and a server need for it. NATS runs again without sync afterwards."""
    filled = fill(nats, count)
    name = f"{count:,} sessions on NATS"
    each = filled["messages_each"]
    state = nats.streams()
    messages, stored = (sum(one[what] for one in state.values()) for what in ("messages", "bytes"))
    events_bytes = sum(one["bytes"] for name, one in state.items() if name.startswith("EV_"))
    (after_fill, most), = nats.resident_mib()
    disk = nats.disk_mib()
    row(f"log of {name}", f"{disk:,.0f} MiB on disk",
        "", f"{each} messages each with {filled['record_bytes_each'] / (each - 1):,.0f} bytes of record on average; {messages:,} messages, "
        f"{stored / messages:,.0f} bytes each as NATS counts them, {state['META']['bytes'] / state['META']['messages']:,.0f} an entry of the list")
    stopped = timed(nats.stop)
    started = nats.start(sync=True)
    live = nats.live_at_rest_mib()
    folder = Path(tempfile.mkdtemp(prefix="switchboard-bench-"))
    try:
        with Switchboard(*nats.store, folder=folder) as server:
            first = server.ready_ms
        ready = []
        for _ in range(2):
            with Switchboard(*nats.store, folder=folder) as server:
                ready.append(server.ready_ms)
                resident = server.resident_kib() / 1024
                index = (folder / "data/index.db").stat().st_size / MIB
                pages = used(server, filled["some"][:: max(1, len(filled["some"]) // 20)])
        row(f"start to ready, {name}", f"{statistics.median(ready) / 1000:.2f} s", f"the first after the start of NATS {first / 1000:.2f} s", "the list is read as a whole")
        row(f"memory of a server, {name}", f"{resident:.0f} MiB", f"its list on disk {index:.1f} MiB", "when it is ready")
        (running, _), = nats.resident_mib()
        row(f"memory of nats-server, {name}", f"{running:,.0f} MiB with a server at work", f"in use at rest {live:,.0f} MiB",
            f"just filled {after_fill:,.0f} MiB, {most:,.0f} at most")
        opened, turn = pages["load"]["open"], pages["load"]["turn"]
        row(f"first look at an old session, {name}, p50 / worst of 20", f"{opened['p50_ms']:.1f} / {opened['p99_ms']:.1f} ms", "",
            f"connect to last event; then a turn in it {turn['p50_ms']:.1f} / {turn['p99_ms']:.1f} ms, a page of the list {pages['list_ms']:.1f} ms, "
            f"a page of events {pages['events_ms']:.1f} ms")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    nats.stop(signal.SIGKILL)
    killed = nats.start()
    row(f"start of nats-server, {name}", f"{started:.2f} s", f"after a kill {killed:.2f} s", f"its stop {stopped:.2f} s")
    nats.stop()
    nats.start(sync=False)
    return {
        "sessions": count, "messages": each, "turns": filled["turns_each"], "record_bytes": filled["record_bytes_each"] / (each - 1),
        "message_bytes": events_bytes / (each * count), "entry_bytes": state["META"]["bytes"] / count,
        "disk_mib": disk, "live_mib": live, "nats_mib": running, "index_mib": index, "server_mib": resident,
        "start_s": statistics.median(ready) / 1000, "first_start_s": first / 1000, "nats_start_s": started, "killed_start_s": killed,
        "open_ms": opened["p50_ms"], "turn_ms": turn["p50_ms"], "list_ms": pages["list_ms"],
    }


def fill(nats, count):
    """Copies a recorded session until the log has so many."""
    file = nats.folder / "filled.json"
    filled = json.loads(file.read_text()) if file.exists() else {"sessions": 0}
    missing = count - filled["sessions"]
    if missing <= 0:
        return filled
    session = filled.get("session") or record(nats)
    done = nats.load("copy", session, RECORDS, missing)
    row(f"{missing:,} sessions copied into NATS", f"{done['per_second']:,.0f} messages a second", "", f"{done['took_s']:.0f} s, without sync")
    done.update(session=session, sessions=count)
    file.write_text(json.dumps(done))
    return done


def record(nats):
    """A conversation of some turns with one tool."""
    with Switchboard(*nats.store) as server:
        load("turn", server.address, TURNS)
        return get(server, "/api/sessions?limit=1")[0]["sessionId"]


def used(server, sessions):
    """A page of the list, one of events, and old sessions opened and gone on with."""
    list_ms = min(timed(get, server, "/api/sessions?limit=50") for _ in range(5)) * 1000
    opened = load("reopen", server.address, ",".join(sessions))
    events_ms = min(timed(get, server, f"/api/sessions/{sessions[0]}/events?before=50&limit=50") for _ in range(5)) * 1000
    return {"list_ms": list_ms, "events_ms": events_ms, "load": opened}


def get(server, path):
    with urllib.request.urlopen(f"http://{server.address}{path}", timeout=60) as answer:
        found = json.load(answer)
    return found.get("sessions", found.get("events")) if isinstance(found, dict) else found


def timed(what, *arguments):
    begun = time.perf_counter()
    what(*arguments)
    return time.perf_counter() - begun
