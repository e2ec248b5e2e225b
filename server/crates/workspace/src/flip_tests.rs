//! G15: somebody exchanges folders with links, and files with links, while files are read, written, listed, searched and
//! removed. Nothing outside is read or written, however the moments fall.
//!
//! The baselines are what careful programs do with paths alone: look first, then open. Both get out.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::TempDir;

use super::attack_tests::files_in;
use super::{WalkEntry, WalkOptions, Workspace};

/// The secret that lies outside; whatever is inside begins with another word and is shorter.
const SECRET: &str = "secret, and it lies outside of the workspace";

/// How long a baseline may need until it gets out; it gets out within milliseconds.
const LONGEST: Duration = Duration::from_secs(60);

#[test]
fn g15_baseline_a_plain_walk_gets_out_while_links_and_folders_change_places() {
    let ground = Ground::new();
    let flipper = Flipper::start(&ground.inside);
    let begun = Instant::now();

    // It enters only what it has seen to be a folder, and reads only what it has seen to be a file.
    let mut rounds = 0_u64;
    while !plain_walk(&ground.inside).iter().any(|text| text.starts_with(SECRET)) {
        rounds += 1;
        assert!(begun.elapsed() < LONGEST, "{rounds} plain walks stayed inside");
    }

    assert!(flipper.stop() > 0);
}

#[test]
fn g15_baseline_a_plain_write_gets_out_while_links_and_folders_change_places() {
    let ground = Ground::new();
    let flipper = Flipper::start(&ground.inside);
    let begun = Instant::now();

    // It writes only below a folder whose real path is inside.
    let root = ground.inside.canonicalize().expect("a folder");
    let mut rounds = 0_u64;
    while !ground.outside.join("planted").exists() {
        let place = ground.inside.join("place");
        if place.canonicalize().is_ok_and(|real| real.starts_with(&root)) {
            let _ = fs::write(place.join("planted"), "inside");
        }
        rounds += 1;
        assert!(begun.elapsed() < LONGEST, "{rounds} plain writes stayed inside");
    }

    assert!(flipper.stop() > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g15_nothing_outside_is_touched_in_ten_thousand_operations() {
    nothing_outside_is_touched(10_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "long: ./tests/run soak"]
async fn g15_nothing_outside_is_touched_in_a_hundred_thousand_operations() {
    nothing_outside_is_touched(100_000).await;
}

/// At least so many operations, and ten times as many flips beside them.
async fn nothing_outside_is_touched(operations: u64) {
    let ground = Ground::new();
    let before = files_in(&ground.outside);
    let flipper = Flipper::start(&ground.inside);
    let (mut done, mut inside) = (0_u64, Inside::default());

    while done < operations || flipper.flips() < operations * 10 || !inside.every_kind() {
        done += ground.operate(done, &mut inside).await;
    }

    let flips = flipper.stop();
    println!("{done} operations, {flips} flips, {inside:?}");
    assert_eq!(files_in(&ground.outside), before);
}

/// How often an operation found its way, so that it is known that they do something.
#[derive(Debug, Default)]
struct Inside {
    reads: u64,
    writes: u64,
    walks: u64,
}

impl Inside {
    fn every_kind(&self) -> bool {
        self.reads > 0 && self.writes > 0 && self.walks > 0
    }
}

/// A folder with the workspace `inside` and a secret `outside`. In the workspace `place` is in turn a folder and a link to
/// the folder outside, `name` a file and a link to the file outside.
struct Ground {
    _folder: TempDir,
    inside: PathBuf,
    outside: PathBuf,
    workspace: Workspace,
}

impl Ground {
    fn new() -> Self {
        // In memory, where there is such a folder: what is tried is the paths and not the disk.
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
        let (inside, outside) = (folder.path().join("inside"), folder.path().join("outside"));
        fs::create_dir_all(inside.join("place")).expect("made");
        fs::create_dir(&outside).expect("made");
        for name in ["secret.txt", "only-outside"] {
            fs::write(outside.join(name), SECRET).expect("written");
        }
        fs::write(inside.join("place/secret.txt"), "inside").expect("written");
        symlink("../outside", inside.join("place-link")).expect("linked");
        fs::write(inside.join("name"), "inside").expect("written");
        symlink("../outside/secret.txt", inside.join("name-link")).expect("linked");
        let workspace = Workspace::open(&inside, &[]).expect("a workspace");
        Self { _folder: folder, inside, outside, workspace }
    }

    /// One of each operation; how many there were. Whether one can be done depends on the moment, where it is done does not.
    async fn operate(&self, turn: u64, inside: &mut Inside) -> u64 {
        let workspace = &self.workspace;
        for path in ["place/secret.txt", "name"] {
            if let Ok(bytes) = workspace.read(path, 1000).await {
                assert!(bytes.starts_with(b"inside"), "turn {turn}: read {:?}", String::from_utf8_lossy(&bytes));
                inside.reads += 1;
            }
            let written = workspace.write_atomic(path, format!("inside {turn}").into_bytes()).await;
            inside.writes += u64::from(written.is_ok());
            if let Ok(metadata) = workspace.metadata(path).await {
                assert_ne!(metadata.bytes, SECRET.len() as u64, "turn {turn}: looked outside at {path}");
            }
        }
        let _ = workspace.write_atomic("place/new/file", b"inside".to_vec()).await;
        let _ = workspace.remove("place/new/file").await;
        if let Ok(listing) = workspace.list("place").await {
            assert!(listing.entries.iter().all(|entry| entry.name != "only-outside"), "turn {turn}: {listing:?}");
        }
        let found = Self::found(workspace, ".").into_iter().chain(Self::found(workspace, "place"));
        for (path, text) in found {
            assert!(text.starts_with("inside"), "turn {turn}: found {text:?} in {path}");
            inside.walks += 1;
        }
        // Two reads, two writes, two looks, a new file, its end, a list and two walks.
        11
    }

    /// What a walk finds in files.
    fn found(workspace: &Workspace, start: &str) -> Vec<(String, String)> {
        let Ok(walk) = workspace.walk(start, WalkOptions::default()) else { return Vec::new() };
        let look = |(): &mut (), entry: &WalkEntry, found: &mut Vec<_>| {
            let Ok(mut file) = entry.open() else { return };
            let mut text = String::new();
            file.read_to_string(&mut text).expect("read");
            found.push((entry.path.to_string(), text));
        };
        walk.find(1000, || (), look, |_| true).found
    }
}

/// The texts of all files below a folder, by their paths: links are seen and left out.
fn plain_walk(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => texts.extend(plain_walk(&entry.path())),
            Ok(kind) if kind.is_file() => texts.extend(fs::read_to_string(entry.path())),
            _ => {}
        }
    }
    texts
}

/// Exchanges folders with links as fast as it can.
struct Flipper {
    stopped: Arc<AtomicBool>,
    flips: Arc<AtomicU64>,
    thread: std::thread::JoinHandle<()>,
}

impl Flipper {
    fn start(folder: &Path) -> Self {
        let (stopped, flips) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let started = Arc::new(Barrier::new(2));
        let (is_stopped, counted, has_started) = (Arc::clone(&stopped), Arc::clone(&flips), Arc::clone(&started));
        let folder = folder.to_owned();
        let thread = std::thread::spawn(move || {
            let exchange = |name: &str| {
                let (one, other) = (folder.join(name), folder.join(format!("{name}-link")));
                renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).expect("exchanged");
            };
            has_started.wait();
            while !is_stopped.load(Ordering::Relaxed) {
                exchange("place");
                exchange("name");
                counted.fetch_add(2, Ordering::Relaxed);
            }
        });
        started.wait();
        Self { stopped, flips, thread }
    }

    fn flips(&self) -> u64 {
        self.flips.load(Ordering::Relaxed)
    }

    fn stop(self) -> u64 {
        self.stopped.store(true, Ordering::Relaxed);
        self.thread.join().expect("the flipper ended well");
        self.flips.load(Ordering::Relaxed)
    }
}
