"""Several servers on NATS JetStream: turns beside SQLite, what passing a client on costs, and logs with many sessions."""
import contextlib, os, tempfile, time

from . import model
from .nats_servers import Nats, install
from .programs import ROOT, Switchboard, load, row
from .sizes import sizes

SESSIONS = 16


def measure():
    """All of it; what the capacity model is made of."""
    install()
    turns = stores()
    passing_on()
    with Nats(sync=False) as nats:
        small, large = (sizes(nats, count) for count in (10_000, 200_000))
    model.keep(turns, small, large)


def measure_log(count, folder):
    """So many sessions in the log in this folder, which stays there; beside what the model says."""
    install()
    folder.mkdir(parents=True, exist_ok=True)
    with Nats(sync=False, folder=folder) as nats:
        model.compare(sizes(nats, count))


def stores():
    kept = {}
    row("write and sync of 2 KiB, one file", f"{fsyncs():,.0f} a second", "", "what stands behind all the others")
    with Switchboard() as server:
        beside = turns_on([server], None)
    tell("SQLite", beside, None)
    for replicas in (1, 3):
        for nodes in (1, 3):
            with Nats(replicas) as nats, contextlib.ExitStack() as stack:
                servers = [stack.enter_context(Switchboard(*nats.store)) for _ in range(nodes)]
                name = f"NATS, {'one replica' if replicas == 1 else 'three replicas'}, " + ("one server" if nodes == 1 else "three servers")
                done = turns_on(servers, nats)
                tell(name, done, beside)
                if nodes == 1:
                    kept[f"turns of R{replicas}"] = done[1]
                    idle = load("idle", servers[0].address, 1000, servers[0].pid)
        with Nats(replicas) as nats:
            with Switchboard(*nats.store):
                pass
            for what, to, sessions, size in (("all streams of events", "all", 256, 2000), ("one stream of events", "one", 64, 2000),
                                             ("the list", "list", 64, 400)):
                done = nats.load("publish", to, sessions, size, 3)
                kept[f"{to} of R{replicas}"] = done["per_second"]
                row(f"messages to {what}, {'one replica' if replicas == 1 else 'three replicas'}",
                    f"{done['per_second']:,.0f} a second, p99 {done['p99_ms']:.1f} ms", "", f"NATS alone; {sessions} sessions at once, {size} bytes")
    row("memory of 1,000 idle sessions on NATS", f"{idle['each_kib']:.1f} KiB each")
    return kept


def turns_on(servers, nats):
    """Turns one after the other, and of several sessions at once; of several servers, each client is at any of them."""
    one = load("turn", servers[0].address, 300)
    addresses = ",".join(server.address for server in servers)
    # The list's stream has the leases, too: they are not counted.
    before, begun, used = streams(nats), time.perf_counter(), processors(servers, nats)
    many = load("turns", addresses, SESSIONS, 100)
    turns = SESSIONS * 110
    leases = (time.perf_counter() - begun) / 1.5 * len(servers)
    after = streams(nats)
    many["records"] = (after[0] - before[0] - SESSIONS) / turns
    many["entries"] = max(0, after[1] - before[1] - leases - SESSIONS) / turns
    many["server_ms"], many["nats_ms"] = ((now - then) * 1000 / turns for now, then in zip(processors(servers, nats), used))
    return one, many


def streams(nats):
    """How many messages the streams of events, and the list, have taken."""
    states = nats.streams() if nats else {}
    return (sum(state["last_seq"] for name, state in states.items() if name.startswith("EV_")), states.get("META", {}).get("last_seq", 0))


def processors(servers, nats):
    return sum(server.processor_s() for server in servers), nats.processor_s() if nats else 0


def tell(name, measured, beside):
    one, many = measured
    row(f"turn with one tool, {name}, p50 / p99", f"{one['p50_ms']:.2f} / {one['p99_ms']:.2f} ms",
        beside and f"SQLite {beside[0]['p50_ms']:.2f} / {beside[0]['p99_ms']:.2f} ms" or "")
    note = f"processor time of a turn: {many['server_ms']:.2f} ms"
    if beside:
        note += f", of NATS {many['nats_ms']:.2f}; messages of a turn: {many['records']:.1f}, and {many['entries']:.1f} to the list"
    row(f"{SESSIONS} sessions at once, {name}",
        f"{many['per_second']:,.0f} turns, {many['events_per_second']:,.0f} events a second; p50 / p99 {many['p50_ms']:.1f} / {many['p99_ms']:.1f} ms",
        beside and f"SQLite {beside[1]['per_second']:,.0f} turns, {beside[1]['events_per_second']:,.0f} events a second" or "", note)


def fsyncs():
    """How often a second the disk takes two KiB at the end of a file for good."""
    with tempfile.TemporaryFile(dir=ROOT / "target") as file:
        count, begun = 0, time.perf_counter()
        while (took := time.perf_counter() - begun) < 2:
            file.write(bytes(2048))
            file.flush()
            os.fsync(file.fileno())
            count += 1
    return count / took


def passing_on():
    with Nats() as nats, Switchboard(*nats.store) as owner, Switchboard(*nats.store) as other:
        done = load("passed-on", owner.address, other.address, 300)
    for what, name in (("turn", "turn with one tool"), ("ping", "`ping`")):
        passed, owned = done[what]["other"], done[what]["owner"]
        row(f"{name} of a client at a server that passes it on, p50 / p99", f"{passed['p50_ms']:.2f} / {passed['p99_ms']:.2f} ms",
            f"at the session's server {owned['p50_ms']:.2f} / {owned['p99_ms']:.2f} ms", f"{passed['p50_ms'] - owned['p50_ms']:.2f} ms more in the median")
