"""The capacity model of docs/scaling.md: straight lines through what was measured, and what follows from them."""
import json, math, re
from pathlib import Path

from .programs import ROOT, row

PAGE = ROOT / "docs/scaling.md"
SIZES = (100_000, 1_000_000, 10_000_000)
# What sessions are taken to do: how long they are kept, and how many turns the busiest second has beside the average.
KEPT_DAYS, PEAK = 90, 5
# What machines are taken to cost a month, in US dollars: a processor with 4 GiB, each GiB beyond, a GiB of disk.
PROCESSOR, MEMORY, DISK = 25, 4, 0.10
LINES = {
    "disk_mib": ("disk of each NATS server, KiB", 1024, "{:.1f}"),
    "live_mib": ("memory in use of each NATS server, bytes", 2**20, "{:.0f}"),
    "index_mib": ("list on the disk of each server, bytes", 2**20, "{:.0f}"),
    "server_mib": ("memory of each server, bytes", 2**20, "{:.0f}"),
    "start_s": ("start of a server, µs", 1e6, "{:.1f}"),
    "nats_start_s": ("start of a NATS server that was stopped, µs", 1e6, "{:.1f}"),
    "killed_start_s": ("start of a NATS server that was killed, µs", 1e6, "{:.1f}"),
}


def keep(turns, small, large):
    """Writes the model that follows from these figures."""
    spread = large["sessions"] - small["sessions"]
    # What does not grow may seem to shrink.
    slopes = {name: max(0, large[name] - small[name]) / spread for name in LINES}
    bases = {name: small[name] - slopes[name] * small["sessions"] for name in LINES}
    many = turns["turns of R3"]
    model = {
        "slopes": slopes, "bases": bases, "messages": small["messages"], "turns": small["turns"], "record_bytes": small["record_bytes"],
        # What a message has beside its record: its subject, where it belongs, checksums.
        "beside": large["message_bytes"] - large["record_bytes"], "entry_bytes": large["entry_bytes"],
        # Beyond what is in use: what it has read, and what is not collected yet.
        "nats_beyond_mib": large["nats_mib"] - large["live_mib"],
        "records": many["records"], "entries": many["entries"], "server_ms": many["server_ms"], "nats_ms": many["nats_ms"],
        "list_rate": turns["list of R3"], "stream_rate": turns["one of R3"], "events_rate": turns["all of R3"],
    }
    write("model", constants(model) + [""] + sizes_table(model) + [""] + limits_table(model))
    text = PAGE.read_text()
    PAGE.write_text(re.sub(r"<!-- figures .* -->", f"<!-- figures {json.dumps(model)} -->", text))


def kept():
    return json.loads(re.search(r"<!-- figures (.*) -->", PAGE.read_text())[1])


def at(model, name, sessions):
    return max(0, model["bases"][name]) + model["slopes"][name] * sessions


def session_bytes(model, measured):
    """What a session with so many messages, and records so large, takes on the disk."""
    return measured["messages"] * (measured["record_bytes"] + model["beside"]) + model["entry_bytes"]


def nats_memory_mib(model, sessions):
    """Go lets what is not used grow to as much again as what is."""
    return 2 * at(model, "live_mib", sessions) + max(0, model["nats_beyond_mib"])


def turns_a_second(model, sessions):
    return sessions * model["turns"] / (KEPT_DAYS * 86_400) * PEAK


def constants(model):
    lines = ["| of each session | |", "|---|---|",
             f"| messages: a claim, and records of {model['record_bytes']:,.0f} bytes on average | {model['messages']} |",
             f"| what a message has beside its record: its subject, its place, checksums | {model['beside']:,.0f} bytes |", f"| turns | {model['turns']} |"]
    lines += [f"| {what} | {form.format(model['slopes'][name] * unit)} |" for name, (what, unit, form) in LINES.items()]
    lines += ["", "| of each turn with one tool, three replicas | |", "|---|---|", f"| messages to the streams of events | {model['records']:.1f} |",
              f"| messages to the list | {model['entries']:.1f} |", f"| processor time of the server | {model['server_ms']:.2f} ms |",
              f"| processor time of the three NATS servers together | {model['nats_ms']:.2f} ms |",
              "", "| what NATS takes, three replicas | |", "|---|---|", f"| messages a second to all 64 streams | {model['events_rate']:,.0f} |",
              f"| to one of them | {model['stream_rate']:,.0f} |", f"| to the list | {model['list_rate']:,.0f} |"]
    return lines


def sizes_table(model):
    """What so many sessions take, column by column."""
    head = ["sessions", *(f"{sessions:,}" for sessions in SIZES)]
    lines = {}

    def line(name, form, value):
        lines[name] = [form.format(value(sessions)) for sessions in SIZES]

    turns = lambda sessions: turns_a_second(model, sessions)
    publishes = model["records"] + model["entries"]
    line("turns a second, at most", "{:,.1f}", turns)
    line("messages a second", "{:,.0f}", lambda n: turns(n) * publishes)
    line("share of what the list's stream takes", "{:.1%}", lambda n: turns(n) * model["entries"] / model["list_rate"])
    line("share of what the 64 streams take", "{:.1%}", lambda n: turns(n) * model["records"] / model["events_rate"])
    line("disk of each NATS server", "{:,.0f} GiB", lambda n: at(model, "disk_mib", n) / 1024)
    line("memory of each NATS server", "{:,.1f} GiB", lambda n: nats_memory_mib(model, n) / 1024)
    line("list on each server's disk", "{:,.1f} GiB", lambda n: at(model, "index_mib", n) / 1024)
    line("start of a server", "{:,.0f} s", lambda n: at(model, "start_s", n))
    line("start of a NATS server that was stopped", "{:,.0f} s", lambda n: at(model, "nats_start_s", n))
    line("start of a NATS server that was killed", "{:,.0f} s", lambda n: at(model, "killed_start_s", n))
    line("servers, with two processors each", "{:,}", lambda n: servers(model, n))
    line("a month", "${:,}", lambda n: money(model, n))
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"] + [f"| {name} | {' | '.join(cells)} |" for name, cells in lines.items()]


def servers(model, sessions):
    """At half load, and one may be lost."""
    busy = turns_a_second(model, sessions) * model["server_ms"] / 1000
    return 1 + max(1, math.ceil(busy / (2 * 0.5)))


def money(model, sessions):
    """Three NATS servers with two processors, and the servers with two; each with the memory that it needs or 8 GiB."""
    memory = max(8, 2 ** math.ceil(math.log2(nats_memory_mib(model, sessions) / 1024 * 1.5)))
    nats = 3 * (2 * PROCESSOR + (memory - 8) * MEMORY + at(model, "disk_mib", sessions) / 1024 * 1.5 * DISK)
    disk = 20 + at(model, "index_mib", sessions) / 1024
    return int(round(nats + servers(model, sessions) * (2 * PROCESSOR + disk * DISK), -1))


def limits_table(model):
    """At how many sessions something reaches what one would not go beyond."""
    turns_each = turns_a_second(model, 1)

    def reached(name, limit, times=1):
        slope, base = model["slopes"][name] * times, max(0, model["bases"][name]) * times
        return (limit - base) / slope if slope > 0 else math.inf

    limits = [
        ("a server starts within a minute", reached("start_s", 60)),
        ("a NATS server that was killed starts within 5 minutes", reached("killed_start_s", 300)),
        ("16 GiB of memory are enough for each NATS server", reached("live_mib", 16 * 1024 - max(0, model["nats_beyond_mib"]), 2)),
        ("1 TiB of disk is enough for each NATS server", reached("disk_mib", 2**20)),
        ("4 GiB of disk, or of the system's cache, are enough for each server's list", reached("index_mib", 4096)),
        ("the list's stream is at most half busy in the busiest second", model["list_rate"] / 2 / (model["entries"] * turns_each)),
        ("the 64 streams are at most half busy in the busiest second", model["events_rate"] / 2 / (model["records"] * turns_each)),
    ]
    lines = [f"| {what} | {two_digits(sessions)} |" for what, sessions in sorted(limits, key=lambda limit: limit[1])]
    return ["| this holds | up to so many sessions |", "|---|---|", *lines]


def two_digits(number):
    return f"{int(float(f'{number:.1e}')):,}" if number < 1e12 else "any"


def compare(measured):
    """What the model says of a log, beside what was measured; as a table of the page."""
    model, sessions = kept(), measured["sessions"]
    rows = [
        ("disk", "{:,.1f} GiB", sessions * session_bytes(model, measured) / 2**30, measured["disk_mib"] / 1024),
        ("memory of nats-server in use at rest", "{:,.0f} MiB", at(model, "live_mib", sessions), measured["live_mib"]),
        ("memory of nats-server with a server at work", "{:,.0f} MiB", nats_memory_mib(model, sessions), measured["nats_mib"]),
        ("memory of a server", "{:,.0f} MiB", at(model, "server_mib", sessions), measured["server_mib"]),
        ("list on a server's disk", "{:,.0f} MiB", at(model, "index_mib", sessions), measured["index_mib"]),
        ("start of a server", "{:,.1f} s", at(model, "start_s", sessions), measured["start_s"]),
        ("start of nats-server that was stopped", "{:,.1f} s", at(model, "nats_start_s", sessions), measured["nats_start_s"]),
        ("start of nats-server that was killed", "{:,.1f} s", at(model, "killed_start_s", sessions), measured["killed_start_s"]),
    ]
    lines = [f"| {what} | {form.format(said)} | {form.format(found)} | {found / said:.2f} |" for what, form, said, found in rows]
    write("checked", [f"| {sessions:,} sessions, {measured['messages'] * sessions:,} messages | the model | measured | |", "|---|---|---|---|", *lines])


def write(mark, lines):
    """Puts these lines between the marks of the page."""
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    head, rest = PAGE.read_text().split(begin)
    PAGE.write_text(head + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1])
