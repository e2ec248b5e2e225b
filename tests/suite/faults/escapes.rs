//! G18: what a command tries to get out, each first without the sandbox, where it works, then in it, where it does not.

use std::net::UdpSocket;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

use switchboard_tests::ServerOptions;
use tokio::net::TcpListener;

use super::shell::{Shell, is_administrator};

/// Printed by a command that got what it wanted.
const ESCAPED: &str = "ESCAPED";

/// A Python program with what the tries need; anything but an exception is a success.
macro_rules! python {
    ($program:literal) => {
        concat!(
            "/usr/bin/python3 -c 'import ctypes, os, socket, sys\n",
            "libc = ctypes.CDLL(None, use_errno=True)\n",
            "worker = int(os.environ[\"WORKER\"])\n",
            "def nr(x86, arm): return x86 if os.uname().machine == \"x86_64\" else arm\n",
            "def ok(result):\n",
            "    if result < 0: sys.exit(os.strerror(ctypes.get_errno()))\n",
            "def connect(family, address, kind=socket.SOCK_STREAM):\n",
            "    s = socket.socket(family, kind)\n",
            "    s.connect(address)\n",
            "    return s\n",
            $program,
            "'"
        )
    };
}

/// A try: its name, the command, and whether it needs an administrator even without the sandbox. `{outside}` is a folder
/// beside the workspace, `{server}` the server's process, `{address}` and `{port}` its own, `{data}` and `{settings}` its
/// folder and file, `{udp}` and `{six}` other ports, `{name}` an abstract socket.
const TRIES: &[(&str, &str, bool)] = &[
    ("write outside", "echo x > {outside}/trace", false),
    ("read outside", "cat {outside}/secret", false),
    ("link outside in", "ln {outside}/secret linked && cat linked", false),
    ("move in from outside", "mv {outside}/movable . && cat movable", false),
    ("a symlink to the outside", "ln -s {outside} door && cat door/secret", false),
    ("the server's data folder", "ls {data}", false),
    ("the settings", "echo 'sandbox = \"off\"' >> {settings} && grep -q 'of the test' {settings}", false),
    ("the settings by a symlink", "ln -s {settings} conf && echo '# x' >> conf && grep -q 'of the test' conf", false),
    (
        "a .git that points outside",
        "mkdir -p sub && printf 'gitdir: {outside}/repository' > sub/.git && git -C sub config core.x y",
        false,
    ),
    ("a private key of the home", "cat {outside}/home/.ssh/id_ed25519", false),
    ("passwords of the system", "cat /etc/shadow", true),
    ("ptrace itself", python!("ok(libc.ptrace(0, 0, 0, 0))"), false),
    ("ptrace the server", python!("ok(libc.ptrace(0x4206, {server}, 0, 0))"), true),
    ("ptrace the worker", python!("ok(libc.ptrace(0x4206, worker, 0, 0))"), true),
    ("signal the server", "kill -CONT {server}", false),
    ("signal the worker", "kill -CONT $PPID", false),
    ("the server's environment", "cat /proc/{server}/environ", false),
    ("the worker's environment", "cat /proc/$PPID/environ", false),
    ("the server's files", "ls -l /proc/{server}/fd/0", false),
    ("the server's root", "ls /proc/{server}/root/", false),
    ("the server's memory", python!("open(\"/proc/{server}/mem\", \"rb\")"), true),
    ("the worker's memory", python!("open(\"/proc/%d/mem\" % worker, \"rb\")"), true),
    ("mount", "mkdir -p m && mount -t tmpfs none m && umount m", true),
    ("a namespace of the network", "unshare -n true", true),
    ("a namespace of users", python!("ok(libc.unshare(0x10000000))"), true),
    ("chroot", "chroot / true", true),
    ("bpf", python!("ok(libc.syscall(nr(321, 280), 0, ctypes.byref((ctypes.c_uint32 * 16)(2, 4, 8, 1)), 64))"), true),
    ("keyctl", python!("ok(libc.syscall(nr(250, 219), 0, -3, 0))"), false),
    ("io_uring", python!("ok(libc.syscall(425, 4, ctypes.byref((ctypes.c_char * 120)())))"), false),
    (
        "performance events",
        python!("ok(libc.syscall(nr(298, 241), ctypes.byref((ctypes.c_uint32 * 32)(1, 128, 1)), 0, -1, -1, 0))"),
        true,
    ),
    ("setuid", "cp /bin/true t && chmod u+s t && [ -u t ]", false),
    ("setgid", "cp /bin/true t && chmod 2755 t && [ -g t ]", false),
    ("a device", "mknod disk b 8 0", true),
    ("an abstract socket", python!("connect(socket.AF_UNIX, chr(0) + \"{name}\")"), false),
    ("docker.sock", python!("connect(socket.AF_UNIX, \"{outside}/docker.sock\")"), false),
    ("X11", python!("connect(socket.AF_UNIX, \"{outside}/X0\")"), false),
    ("D-Bus", python!("connect(socket.AF_UNIX, \"{outside}/bus\")"), false),
    ("/dev/tcp", "exec 3<>/dev/tcp/127.0.0.1/{port}", false),
    ("/dev/udp", "exec 3<>/dev/udp/127.0.0.1/{udp} && echo '?' >&3 && timeout 5 head -c1 <&3 | grep -q .", false),
    ("raw ICMP", python!("socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)"), true),
    ("a raw packet", python!("socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"), true),
    (
        "a question to a name server",
        python!(
            "s = connect(socket.AF_INET, (\"127.0.0.1\", {udp}), socket.SOCK_DGRAM); s.send(b\"?\"); s.settimeout(5); s.recv(1)"
        ),
        false,
    ),
    ("IPv6", python!("connect(socket.AF_INET6, (\"::1\", {six}))"), false),
    ("curl to the server", "curl -sf http://{address}/healthz", false),
    ("wget to the server", "wget -t1 -T5 -qO- http://{address}/healthz", false),
    ("nc to the server", "nc -z 127.0.0.1 {port}", false),
    ("ssh", "ssh -F /dev/null -v -o BatchMode=yes -p {port} 127.0.0.1 2>&1 | grep -q 'Connection established'", false),
];

#[tokio::test]
async fn g18_nothing_gets_out_of_the_sandbox() {
    let inside = World::start("on").await;
    let outside = World::start("off").await;
    let administrator = is_administrator();
    let mut broken = Vec::new();

    for (name, command, for_administrators) in TRIES {
        if *for_administrators && !administrator {
            eprintln!("not tried without an administrator: {name}");
            continue;
        }
        // Baseline: the same command gets out where there is no sandbox.
        for (world, works) in [(&outside, true), (&inside, false)] {
            let command = format!("export WORKER=$PPID; {} && echo {ESCAPED}", world.filled_in(command));
            let ran = world.shell.lock().await.run(&command).await;
            let escaped = ran.stdout.contains(ESCAPED);
            if escaped != works || ran.end["success"] != works {
                broken.push(format!("{name}, {}: {:?} {:?}", world.sandbox, ran.stdout, ran.stderr));
            }
        }
    }

    assert!(broken.is_empty(), "{broken:#?}");
    let mut shell = inside.shell.lock().await;
    let ran = shell.run("true").await;
    shell.is_unharmed(&ran).await;
}

#[tokio::test]
async fn g18_a_command_gains_no_privileges() {
    let status = "grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status | tr -d '[:space:]'";
    let mut inside = Shell::start(&[]).await;
    let mut outside = Shell::start(&["--sandbox", "off"]).await;

    let (inside, outside) = (inside.run(status).await, outside.run(status).await);

    // Baseline: without the sandbox it may gain them.
    assert_eq!(outside.stdout, "NoNewPrivs:0Seccomp:0");
    assert_eq!(inside.stdout, "NoNewPrivs:1Seccomp:2");
}

/// A server, what it must keep a command from, and who would hear of it.
struct World {
    sandbox: &'static str,
    shell: tokio::sync::Mutex<Shell>,
    filled: Vec<(&'static str, String)>,
    _listeners: Vec<UnixListener>,
    _six: TcpListener,
}

impl World {
    async fn start(sandbox: &'static str) -> Self {
        let shell = Shell::start_with(ServerOptions::with(&["--approve", "auto", "--sandbox", sandbox])).await;
        let server = &shell.server;
        let outside = server.workspace().with_file_name("outside");
        fill(&outside);
        // A command's own /tmp may get files of the same name.
        std::fs::write(server.settings(), "# of the test\n").expect("the settings");
        let paths = ["docker.sock", "X0", "bus"].map(|name| UnixListener::bind(outside.join(name)).expect("a socket"));
        let name = format!("switchboard-{}", uuid::Uuid::new_v4());
        let address = SocketAddr::from_abstract_name(&name).expect("an address");
        let mut listeners = vec![UnixListener::bind_addr(&address).expect("an abstract socket")];
        listeners.extend(paths);
        let udp = name_server();
        let six = TcpListener::bind("[::1]:0").await.expect("a port of IPv6");
        let port = |address: std::io::Result<std::net::SocketAddr>| address.expect("an address").port().to_string();
        let filled = vec![
            ("{outside}", outside.display().to_string()),
            ("{data}", server.data().display().to_string()),
            ("{settings}", server.settings().display().to_string()),
            ("{server}", server.pid().to_string()),
            ("{address}", server.address().to_owned()),
            ("{port}", server.address().rsplit(':').next().unwrap_or_default().to_owned()),
            ("{name}", name),
            ("{udp}", port(Ok(udp))),
            ("{six}", port(six.local_addr())),
        ];
        Self { sandbox, shell: shell.into(), filled, _listeners: listeners, _six: six }
    }

    fn filled_in(&self, command: &str) -> String {
        self.filled.iter().fold(command.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

/// A port of UDP that answers whatever comes, as long as the tests run.
fn name_server() -> std::net::SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut question = [0; 64];
        while let Ok((_, from)) = socket.recv_from(&mut question) {
            let _ = socket.send_to(b"!", from);
        }
    });
    address
}

/// What lies beside the workspace: a secret, a file that could be moved, a repository, a home.
fn fill(outside: &Path) {
    for folder in ["repository/objects", "repository/refs", "home/.ssh"] {
        std::fs::create_dir_all(outside.join(folder)).expect("a folder");
    }
    for (file, content) in [
        ("secret", "secret"),
        ("movable", "movable"),
        ("repository/HEAD", "ref: refs/heads/main\n"),
        ("repository/config", "[core]\n\trepositoryformatversion = 0\n"),
        ("home/.ssh/id_ed25519", "a key"),
    ] {
        std::fs::write(outside.join(file), content).expect("a file");
    }
}
