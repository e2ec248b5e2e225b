//! Attempts to get out of the workspace, or at the server's own folders, with real links, in real folders.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{WalkOptions, Workspace, WorkspaceErrorKind};

const SECRET: &[u8] = b"secret";

#[tokio::test]
async fn no_path_and_no_link_leads_out() {
    let ground = Ground::new();
    let links = [
        ("file", "../outside/secret.txt"),
        ("dir", "../outside"),
        ("parent", ".."),
        ("absolute", ground.outside.as_str()),
        ("slash", "/"),
        ("proc", "/proc"),
        ("hop", "file"),
        ("round", "../inside/../outside/secret.txt"),
    ];
    for (name, target) in links {
        symlink(target, ground.inside.join(name)).expect("linked");
    }

    for path in [
        "file",
        "hop",
        "round",
        "dir",
        "dir/secret.txt",
        "dir/new",
        "dir/new/file",
        "parent",
        "parent/outside/secret.txt",
        "absolute",
        "absolute/secret.txt",
        "slash",
        "slash/etc/passwd",
        "proc",
        "proc/self/root/etc/passwd",
        "proc/self/cwd/Cargo.toml",
        "proc/self/environ",
        "../outside/secret.txt",
        "/etc/passwd",
        "/dev/stdin",
        "/proc/self/environ",
    ] {
        ground.refuses_everything(path).await;
    }

    assert_eq!(ground.outside_state(), [("secret.txt".to_owned(), SECRET.to_vec())]);
}

#[tokio::test]
async fn links_inside_the_workspace_work() {
    let ground = Ground::new();
    fs::create_dir(ground.inside.join("real")).expect("made");
    fs::write(ground.inside.join("real/file"), "inside").expect("written");
    symlink("real", ground.inside.join("dir")).expect("linked");
    symlink("../real/../real/file", ground.inside.join("real/again")).expect("linked");

    for path in ["dir/file", "real/again", "dir/again"] {
        assert_eq!(ground.workspace.read(path, 100).await.expect(path), b"inside");
    }
}

#[tokio::test]
async fn a_dangling_link_makes_no_file_outside() {
    let ground = Ground::new();
    symlink("../outside/new.txt", ground.inside.join("relative")).expect("linked");
    symlink(ground.folder.path().join("outside/new.txt"), ground.inside.join("absolute")).expect("linked");
    symlink("../outside/new", ground.inside.join("dir")).expect("linked");

    for path in ["relative", "absolute", "dir/file"] {
        let error = ground.workspace.write_atomic(path, b"x".to_vec()).await.expect_err(path);
        assert_eq!(error.kind(), WorkspaceErrorKind::Outside, "{path}: {error}");
    }

    assert_eq!(ground.outside_state(), [("secret.txt".to_owned(), SECRET.to_vec())]);
}

#[tokio::test]
async fn a_chain_of_links_has_an_end() {
    let ground = Ground::new();
    fs::write(ground.inside.join("link0"), "end").expect("written");
    for link in 1..=41 {
        symlink(format!("link{}", link - 1), ground.inside.join(format!("link{link}"))).expect("linked");
    }
    symlink("loop", ground.inside.join("loop")).expect("linked");

    assert_eq!(ground.workspace.read("link20", 100).await.expect("twenty links"), b"end");
    for path in ["link41", "loop"] {
        let wanted = format!("'{path}' goes through too many symbolic links; use the path of the real file");
        assert_eq!(ground.workspace.read(path, 100).await.expect_err(path).to_string(), wanted);
        ground.workspace.write_atomic(path, b"x".to_vec()).await.expect_err(path);
    }
    assert_eq!(fs::read(ground.inside.join("link0")).expect("read"), b"end");
}

#[tokio::test]
async fn the_servers_own_folders_are_refused_by_every_way() {
    let ground = Ground::new();
    let inside = &ground.inside;
    fs::create_dir_all(inside.join("data/sub")).expect("made");
    fs::write(inside.join("data/log"), SECRET).expect("written");
    fs::write(inside.join("settings.toml"), SECRET).expect("written");
    symlink("data", inside.join("by-link")).expect("linked");
    symlink("data/log", inside.join("file-link")).expect("linked");
    symlink("inside", ground.folder.path().join("alias")).expect("linked");
    let denied = ["alias/data", "inside/settings.toml", "inside/later"].map(|path| ground.folder.path().join(path));
    let workspace = Workspace::open(inside, &denied).expect("a workspace");
    let absolute = inside.join("data/log");
    let absolute = absolute.to_str().expect("text");

    for path in ["data/log", "by-link/log", "file-link", "settings.toml", absolute, "./data/../data/log"] {
        let read = workspace.read(path, 100).await.expect_err(path);
        let written = workspace.write_atomic(path, b"x".to_vec()).await.expect_err(path);
        let looked = workspace.metadata(path).await.expect_err(path);
        assert_eq!([read.kind(), written.kind(), looked.kind()], [WorkspaceErrorKind::Denied; 3], "{path}");
    }
    for path in ["data/new", "data/new/deep", "by-link/new", "later", "later/new", "data/sub/new"] {
        let written = workspace.write_atomic(path, b"x".to_vec()).await.expect_err(path);
        assert_eq!(written.kind(), WorkspaceErrorKind::Denied, "{path}");
    }
    for path in ["data", "by-link", "data/sub"] {
        assert_eq!(workspace.list(path).await.expect_err(path).kind(), WorkspaceErrorKind::Denied, "{path}");
    }
    for path in ["data/log", "settings.toml"] {
        assert_eq!(workspace.remove(path).await.expect_err(path).kind(), WorkspaceErrorKind::Denied, "{path}");
    }
    assert!(!inside.join("later").exists());
    workspace.write_atomic("database.txt", b"x".to_vec()).await.expect("a name that only begins the same is free");

    // Somebody moves the folder: it is still the server's.
    fs::rename(inside.join("data"), inside.join("moved")).expect("moved");
    assert_eq!(workspace.read("moved/log", 100).await.expect_err("moved").kind(), WorkspaceErrorKind::Denied);
}

/// A folder with the workspace `inside` and a secret `outside`.
struct Ground {
    folder: TempDir,
    inside: PathBuf,
    outside: String,
    workspace: Workspace,
}

impl Ground {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let (inside, outside) = (folder.path().join("inside"), folder.path().join("outside"));
        fs::create_dir(&inside).expect("made");
        fs::create_dir(&outside).expect("made");
        fs::write(outside.join("secret.txt"), SECRET).expect("written");
        let workspace = Workspace::open(&inside, &[]).expect("a workspace");
        let outside = outside.to_str().expect("text").to_owned();
        Self { folder, inside, outside, workspace }
    }

    /// Whatever could be done with the path is refused as an attempt to get out.
    async fn refuses_everything(&self, path: &str) {
        let workspace = &self.workspace;
        let refusals = [
            workspace.read(path, 1000).await.map(drop),
            workspace.write_atomic(path, b"x".to_vec()).await.map(drop),
            workspace.metadata(path).await.map(drop),
            workspace.fingerprint(path).await.map(drop),
            workspace.list(path).await.map(drop),
            workspace.walk(path, WalkOptions::default()).map(drop),
        ];
        for (number, refusal) in refusals.into_iter().enumerate() {
            let error = refusal.expect_err(path);
            assert_eq!(error.kind(), WorkspaceErrorKind::Outside, "{path}, {number}: {error}");
        }
    }

    fn outside_state(&self) -> Vec<(String, Vec<u8>)> {
        files_in(self.outside.as_ref())
    }
}

/// The names of a folder's files and what is in them.
pub(super) fn files_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file")))
        .collect();
    files.sort();
    files
}
