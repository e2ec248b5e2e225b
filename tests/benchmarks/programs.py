"""The programs that are measured, each started in a folder of its own and ended, and the rows of the table."""
import json, os, re, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BINARIES = ROOT / "target/release"
SERVER, LOAD, ECHO, MODEL, MCP, NATS_LOAD = (
    BINARIES / name for name in ("switchboard", "load", "bare_echo", "scripted_llm", "scripted_mcp", "nats_load"))
rows = []


def run(*command, **options):
    ran = subprocess.run([str(part) for part in command], text=True, capture_output=True, cwd=ROOT, **options)
    if ran.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {ran.returncode}:\n{ran.stderr}")
    return ran.stdout


def load(*arguments):
    print("load", *arguments, file=sys.stderr)
    return json.loads(run(LOAD, *arguments))


class Program:
    """A started server: its address and process id; ended on leaving."""

    def __init__(self, *command):
        self.command = [str(part) for part in command]

    def __enter__(self):
        begun = time.perf_counter()
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if found := re.search(r"http://([^/\s?]+)", line):
                self.ready_ms = (time.perf_counter() - begun) * 1000
                self.address, self.pid = found[1], self.process.pid
                return self
        raise SystemExit(f"{self.command} ended before it was ready")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def processor_s(self):
        return processor_s(self.pid)

    def resident_kib(self):
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())[1])


def processor_s(pid):
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Switchboard(Program):
    """A server on folders of its own."""

    def __init__(self, *arguments, folder=None, cores=None):
        self.kept = folder
        pinned = ["taskset", "--cpu-list", f"0-{cores - 1}"] if cores else []
        self.folder = Path(folder or tempfile.mkdtemp(prefix="switchboard-bench-"))
        for name in ("workspace", "data"):
            (self.folder / name).mkdir(exist_ok=True)
        (self.folder / "settings.toml").touch()
        super().__init__(*pinned, SERVER, "--listen", "127.0.0.1:0", "--workspace", self.folder / "workspace", "--data", self.folder / "data",
                         "--config", self.folder / "settings.toml", "--approve", "auto", *arguments)

    def __exit__(self, *details):
        super().__exit__(*details)
        if not self.kept:
            shutil.rmtree(self.folder, ignore_errors=True)


def row(what, figure, beside="", note=""):
    rows.append((what, figure, beside, note))
    print(f"  {what}: {figure}  [{beside}] {note}", file=sys.stderr)
