//! A command behind a proxy: its listener is made inside and accepted outside, and there is nothing else.

use std::io::Write;
use std::net::TcpListener;
use std::thread::JoinHandle;

use tokio_util::sync::CancellationToken;

use super::{Output, User, command, ways};
use crate::{Isolation, Network, PROXY_PORT, RunEnd, RunOutcome, RunOutput, RunSpec, run};

/// Greets whoever connects first.
#[derive(Default)]
struct Greeting {
    output: Output,
    task: Option<JoinHandle<()>>,
}

impl RunOutput for Greeting {
    fn stdout(&mut self, bytes: &[u8]) {
        self.output.stdout(bytes);
    }
    fn stderr(&mut self, _bytes: &[u8]) {}
    fn is_too_much(&self) -> bool {
        self.output.is_too_much()
    }
    fn proxy_listener(&mut self, listener: TcpListener) {
        self.task = Some(std::thread::spawn(move || {
            let (mut client, _) = listener.accept().expect("the command comes");
            client.write_all(b"hello\n").expect("it reads");
        }));
    }
}

async fn run_proxied(user: &User, mut spec: RunSpec) -> (RunOutcome, String, bool) {
    if let Some(confinement) = &mut spec.confinement {
        confinement.network = Network::Proxied;
    }
    let mut greeting = Greeting::default();
    let outcome = run(&user.program, &spec, &mut greeting, &CancellationToken::new()).await.expect("the worker runs");
    (outcome, String::from_utf8_lossy(&greeting.output.0).into_owned(), greeting.task.is_some())
}

#[tokio::test]
async fn only_the_proxy_is_reached() {
    let outside = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = outside.local_addr().expect("an address").port();
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{PROXY_PORT} && head -n1 <&3\n\
         (exec 4<>/dev/tcp/127.0.0.1/{port}) || echo closed\n\
         (exec 5<>/dev/tcp/192.0.2.1/80) || echo unreachable"
    );
    for user in User::all() {
        for isolation in ways(&user).await {
            let workspace = user.make(&format!("{isolation:?}"));
            let (outcome, said, had_listener) = run_proxied(&user, command(&workspace, Some(isolation), &script)).await;
            let expected = match isolation {
                Isolation::Landlock => ("closed\nunreachable\n", false),
                Isolation::Namespaces | Isolation::SharedProc => ("hello\nclosed\nunreachable\n", true),
            };
            assert_eq!((said.as_str(), had_listener), expected, "{} {isolation:?} {outcome:?}", user.name);
        }
    }
}

#[tokio::test]
async fn a_command_that_never_ran_says_why() {
    for user in User::all() {
        let workspace = user.make("workspace");
        let mut spec = command(&workspace, Some(Isolation::Namespaces), "true");
        // The root of all files cannot be made a root of its own.
        spec.confinement.as_mut().expect("it is confined").writable.push("/".into());
        let (outcome, ..) = run_proxied(&user, spec).await;
        assert!(matches!(outcome, RunOutcome::Ended(RunEnd::NotConfined(_))), "{outcome:?}");
    }
}
