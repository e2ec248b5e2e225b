//! Machines that are network namespaces on one bridge, so that what lies between them is the kernel's network. Only where the
//! machine allows it; nothing is left of them when the test has ended.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::fd::{AsFd, AsRawFd};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::link::Condition;

/// A network namespace, as long as somebody has it.
#[derive(Debug)]
pub(super) struct Namespace(File);

/// A machine with a network of its own, at an address that the other machines reach.
#[derive(Debug)]
pub(super) struct Machine {
    own: Arc<Namespace>,
    /// Where the bridge is, and the other end of the machine's cable.
    between: Arc<Namespace>,
    port: String,
    address: String,
}

impl Namespace {
    /// A new one, whose loopback interface is up.
    fn new() -> io::Result<Self> {
        let mut holder = Command::new("unshare");
        holder.args(["--net", "sh", "-c", "ip link set lo up && echo && cat"]);
        let mut holder = holder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut said = String::new();
        holder.stdout.take().map(|pipe| BufReader::new(pipe).read_line(&mut said)).transpose()?;
        let namespace = File::open(format!("/proc/{}/ns/net", holder.id()));
        // It ends with its input.
        let output = holder.wait_with_output()?;
        if said.is_empty() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        Ok(Self(namespace?))
    }

    /// Where the kernel shows it, as long as somebody has it.
    fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.0.as_raw_fd())
    }

    /// Does it inside: sockets that it makes and programs that it starts stay there.
    pub(super) fn run<T: Send>(&self, what: impl FnOnce() -> T + Send) -> T {
        let inside = || {
            move_into_link_name_space(self.0.as_fd(), Some(LinkNameSpaceType::Network)).expect("it can be entered");
            what()
        };
        std::thread::scope(|scope| scope.spawn(inside).join()).expect("what runs inside does not fail")
    }

    /// Runs a program of iproute2 inside.
    fn command(&self, line: &str) -> io::Result<()> {
        let mut words = line.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        let output = self.run(|| command.args(words).output())?;
        match output.status.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!("{line}: {}", String::from_utf8_lossy(&output.stderr).trim()))),
        }
    }
}

impl Machine {
    /// So many, which reach each other.
    pub(super) fn connected(count: usize) -> io::Result<Vec<Self>> {
        let between = Arc::new(Namespace::new()?);
        between.command("ip link add bridge type bridge")?;
        between.command("ip link set bridge up")?;
        (1..=count).map(|number| Self::at(number, &between)).collect()
    }

    fn at(number: usize, between: &Arc<Namespace>) -> io::Result<Self> {
        let (own, port, address) = (Namespace::new()?, format!("port{number}"), format!("10.77.0.{number}"));
        between.command(&format!("ip link add {port} type veth peer name eth0 netns {}", own.path()))?;
        between.command(&format!("ip link set {port} master bridge up"))?;
        own.command(&format!("ip address add {address}/24 dev eth0"))?;
        own.command("ip link set eth0 up")?;
        Ok(Self { own: Arc::new(own), between: Arc::clone(between), port, address })
    }

    /// Where it reaches itself and the other machines reach it.
    pub(super) fn address(&self, port: u16) -> String {
        format!("{}:{port}", self.address)
    }

    pub(super) fn namespace(&self) -> &Arc<Namespace> {
        &self.own
    }

    /// What starts a program inside, from anywhere.
    pub(super) fn entrance(&self) -> [String; 3] {
        ["nsenter".to_owned(), format!("--net={}", self.own.path()), "--".to_owned()]
    }

    /// How its cable is from now on.
    pub(super) fn set(&self, condition: Condition) {
        let Self { own, between, port, .. } = self;
        // A cable that is cut stays plugged in: nobody is told.
        let bridge = if condition == Condition::Cut { "nomaster" } else { "master bridge" };
        let queue = match condition {
            Condition::Slow(delay) => slowed(delay),
            Condition::Whole | Condition::Cut => "noqueue".to_owned(),
        };
        let done = between.command(&format!("ip link set {port} {bridge}")).and_then(|()| {
            for (place, interface) in [(between, port.as_str()), (own, "eth0")] {
                place.command(&format!("tc qdisc replace dev {interface} root {queue}"))?;
            }
            Ok(())
        });
        done.expect("a cable is changed");
    }
}

/// A cable on which four large packets take this time. What waits for more than two seconds is lost.
fn slowed(delay: Duration) -> String {
    let rate = 4 * 1500 * 8 * 1000 / delay.as_millis().max(1);
    format!("tbf rate {rate}bit burst 6000 latency 2s")
}
