//! What the workspace does for tools, in real folders; how it is attacked is in `attack_tests`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{EntryKind, Workspace, WorkspaceError, WorkspaceErrorKind};

#[tokio::test]
async fn what_is_written_can_be_read_by_every_name_of_it() {
    let (folder, workspace) = workspace();

    let written = workspace.write_atomic("notes/today/hello.txt", b"Hello".to_vec()).await.expect("written");

    assert_eq!((written.created, written.bytes), (true, 5));
    let absolute = folder.path().join("notes/today/hello.txt");
    for name in ["notes/today/hello.txt", "./notes//today/./hello.txt", "notes/x/../today/hello.txt", text(&absolute)] {
        assert_eq!(workspace.read(name, 5).await.expect(name), b"Hello", "{name}");
    }
    assert_eq!(fs::read(absolute).expect("read"), b"Hello");
}

#[test]
fn a_path_is_made_relative_and_normal_or_refused_with_the_reason() {
    let (folder, workspace) = workspace();
    let root = text(folder.path());
    let folder_name = folder.path().file_name().and_then(|name| name.to_str()).expect("a name");
    let relative = |path: &str| workspace.relative(path).map(|path| path.to_string()).map_err(|error| error.kind());

    for (path, wanted) in [
        ("a.txt", "a.txt"),
        ("./a/./b//c/", "a/b/c"),
        ("a/../b", "b"),
        (".", "."),
        ("a/..", "."),
        (root, "."),
        (&format!("{root}/a/b"), "a/b"),
        (&format!("{root}/../{folder_name}/a"), "a"),
        ("..\\..\\etc\\passwd", "..\\..\\etc\\passwd"),
        ("%2e%2e/etc", "%2e%2e/etc"),
        ("~backup", "~backup"),
        ("übung 1.txt", "übung 1.txt"),
    ] {
        assert_eq!(relative(path), Ok(wanted.to_owned()), "{path}");
    }
    for (path, wanted) in [
        ("", WorkspaceErrorKind::BadPath),
        ("a\0b", WorkspaceErrorKind::BadPath),
        ("~", WorkspaceErrorKind::BadPath),
        ("~/a", WorkspaceErrorKind::BadPath),
        (&"a/".repeat(2500), WorkspaceErrorKind::BadPath),
        (&"a".repeat(256), WorkspaceErrorKind::BadPath),
        ("..", WorkspaceErrorKind::Outside),
        ("../a", WorkspaceErrorKind::Outside),
        ("a/../../b", WorkspaceErrorKind::Outside),
        ("/", WorkspaceErrorKind::Outside),
        ("/etc/passwd", WorkspaceErrorKind::Outside),
        (&format!("{root}x/a"), WorkspaceErrorKind::Outside),
        (&format!("{root}/../../etc"), WorkspaceErrorKind::Outside),
    ] {
        assert_eq!(relative(path), Err(wanted), "{path}");
    }
}

#[tokio::test]
async fn a_workspace_reached_by_a_link_is_known_by_both_names() {
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("real")).expect("made");
    symlink("real", folder.path().join("link")).expect("linked");

    let workspace = Workspace::open(&folder.path().join("link"), &[]).expect("a workspace");

    assert_eq!(workspace.root(), folder.path().join("real").canonicalize().expect("real"));
    for name in ["link/a", "real/a"] {
        let absolute = folder.path().join(name);
        assert_eq!(workspace.relative(text(&absolute)).map(|path| path.to_string()), Ok("a".to_owned()));
    }
}

#[tokio::test]
async fn what_cannot_be_read_says_why_and_what_to_do() {
    let (folder, workspace) = workspace();
    fs::write(folder.path().join("config.json"), "{}").expect("written");
    fs::write(folder.path().join("picture.png"), b"\x89PNG\0\xff").expect("written");
    fs::write(folder.path().join("nul.txt"), b"a\0b").expect("written");
    fs::create_dir(folder.path().join("src")).expect("made");
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).expect("a socket");
    make_pipe(&folder.path().join("pipe"));

    for (path, wanted) in [
        ("confg.json", "'confg.json' does not exist; did you mean 'config.json'?"),
        ("srcs/main.rs", "'srcs/main.rs' does not exist; did you mean 'src'?"),
        ("zzz", "'zzz' does not exist; list the folder to see what is there"),
        ("src", "'src' is a directory; list it and name one of the files in it"),
        (".", "'.' is a directory; list it and name one of the files in it"),
        (
            "config.json/a",
            "'config.json/a' is not a directory, or a part of its path is a file; check the path by listing its parent",
        ),
        ("picture.png", "'picture.png' is not a text file; use a tool that works with binary files"),
        ("nul.txt", "'nul.txt' is not a text file; use a tool that works with binary files"),
        ("pipe", "'pipe' is a pipe; only regular files can be used"),
        ("socket", "'socket' is a socket; only regular files can be used"),
    ] {
        assert_eq!(workspace.read_text(path, 1000).await.expect_err(path).to_string(), wanted);
    }
    let too_large = workspace.read("config.json", 1).await.expect_err("too large");
    assert_eq!(too_large.to_string(), "'config.json' has 2 bytes, and at most 1 can be used at once; use part of it");
    assert_eq!(too_large.kind(), WorkspaceErrorKind::TooLarge);
}

#[tokio::test]
async fn a_write_replaces_the_whole_file_and_keeps_its_mode() {
    let (folder, workspace) = workspace();
    let path = folder.path().join("run.sh");
    fs::write(&path, "a long old content").expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).expect("set");
    let before = fs::File::open(&path).expect("it is there");

    let written = workspace.write_atomic("run.sh", b"new".to_vec()).await.expect("written");

    assert!(!written.created);
    assert_eq!(fs::read(&path).expect("read"), b"new");
    let after = fs::metadata(&path).expect("it is there");
    assert_eq!(after.permissions().mode() & 0o7777, 0o750);
    assert_ne!(after.ino(), before.metadata().expect("still open").ino(), "another file, renamed over the old one");
    assert_eq!(names(folder.path()), ["run.sh"], "nothing is left beside it");
}

#[tokio::test]
async fn a_write_to_a_link_goes_to_the_file_that_it_leads_to() {
    let (folder, workspace) = workspace();
    fs::create_dir(folder.path().join("real")).expect("made");
    fs::write(folder.path().join("real/file.txt"), "old").expect("written");
    symlink("real/file.txt", folder.path().join("link.txt")).expect("linked");
    symlink("real", folder.path().join("dir")).expect("linked");

    workspace.write_atomic("link.txt", b"one".to_vec()).await.expect("written");
    assert_eq!(fs::read(folder.path().join("real/file.txt")).expect("read"), b"one");
    workspace.write_atomic("dir/file.txt", b"two".to_vec()).await.expect("written");
    assert_eq!(fs::read(folder.path().join("real/file.txt")).expect("read"), b"two");

    assert!(fs::symlink_metadata(folder.path().join("link.txt")).expect("it is there").is_symlink());
}

#[tokio::test]
async fn what_cannot_be_written_stays_as_it_was() {
    let (folder, workspace) = workspace();
    fs::create_dir(folder.path().join("src")).expect("made");
    fs::write(folder.path().join("file"), "old").expect("written");
    fs::write(folder.path().join("twin"), "old").expect("written");
    fs::hard_link(folder.path().join("twin"), folder.path().join("other")).expect("linked");
    symlink("nothing", folder.path().join("dangling")).expect("linked");
    make_pipe(&folder.path().join("pipe"));
    let before = names(folder.path());

    for (path, wanted) in [
        ("src", WorkspaceErrorKind::IsADirectory),
        (".", WorkspaceErrorKind::IsADirectory),
        ("file/new", WorkspaceErrorKind::NotADirectory),
        ("twin", WorkspaceErrorKind::Denied),
        ("dangling", WorkspaceErrorKind::NotFound),
        ("dangling/new", WorkspaceErrorKind::NotFound),
        ("pipe", WorkspaceErrorKind::NotAFile),
    ] {
        let error = workspace.write_atomic(path, b"new".to_vec()).await.expect_err(path);
        assert_eq!(error.kind(), wanted, "{path}: {error}");
    }

    assert_eq!(names(folder.path()), before);
    assert_eq!(fs::read(folder.path().join("twin")).expect("read"), b"old");
}

#[tokio::test]
async fn a_file_or_a_link_itself_is_removed() {
    let (folder, workspace) = workspace();
    fs::write(folder.path().join("file"), "x").expect("written");
    symlink("file", folder.path().join("link")).expect("linked");
    fs::create_dir(folder.path().join("src")).expect("made");

    workspace.remove("link").await.expect("removed");
    assert_eq!(names(folder.path()), ["file", "src"]);
    workspace.remove("file").await.expect("removed");
    assert_eq!(names(folder.path()), ["src"]);

    assert_eq!(workspace.remove("src").await.expect_err("a directory").kind(), WorkspaceErrorKind::IsADirectory);
    assert_eq!(workspace.remove("file").await.expect_err("gone").kind(), WorkspaceErrorKind::NotFound);
    assert_eq!(workspace.remove(".").await.expect_err("the root").kind(), WorkspaceErrorKind::IsADirectory);
}

#[tokio::test]
async fn a_fingerprint_tells_a_change_from_a_touch() {
    let (folder, workspace) = workspace();
    let path = folder.path().join("file");
    let written = workspace.write_atomic("file", b"one".to_vec()).await.expect("written");
    let (bytes, read) = workspace.read_tracked("file", 100).await.expect("read");
    assert_eq!((bytes.as_slice(), &read), (&b"one"[..], &written.fingerprint));
    assert_eq!(workspace.fingerprint("file").await.expect("read"), read);
    assert!(workspace.unchanged("file", &read).await.expect("read"));

    // The same content at another time is not a change.
    touch(&path);
    assert!(workspace.unchanged("file", &read).await.expect("read"));

    fs::write(&path, "two").expect("written");
    touch(&path);
    assert!(!workspace.unchanged("file", &read).await.expect("read"));

    fs::remove_file(&path).expect("removed");
    assert_eq!(workspace.unchanged("file", &read).await.expect_err("gone").kind(), WorkspaceErrorKind::NotFound);
}

#[tokio::test]
async fn a_directory_is_listed_by_name_and_says_what_each_is() {
    let (folder, workspace) = workspace();
    fs::create_dir(folder.path().join("src")).expect("made");
    fs::write(folder.path().join("b.txt"), "12345").expect("written");
    fs::write(folder.path().join(".hidden"), "").expect("written");
    symlink("/etc", folder.path().join("a-link")).expect("linked");

    let listing = workspace.list(".").await.expect("listed");

    let entries: Vec<_> = listing.entries.iter().map(|entry| (entry.name.as_str(), entry.metadata.kind)).collect();
    let wanted = [
        (".hidden", EntryKind::File),
        ("a-link", EntryKind::Link),
        ("b.txt", EntryKind::File),
        ("src", EntryKind::Directory),
    ];
    assert_eq!(entries, wanted);
    assert_eq!((listing.entries[2].metadata.bytes, listing.more), (5, false));
    assert_eq!(workspace.metadata("b.txt").await.expect("it is there"), listing.entries[2].metadata);
    assert_eq!(workspace.metadata("src").await.expect("it is there").kind, EntryKind::Directory);
    assert_eq!(workspace.list("b.txt").await.expect_err("a file").kind(), WorkspaceErrorKind::NotADirectory);
    let missing = workspace.list("srx").await.expect_err("missing").to_string();
    assert_eq!(missing, "'srx' does not exist; did you mean 'src'?");
    assert_eq!(workspace.nearest("b.tx").await, ["b.txt"]);
}

#[tokio::test]
async fn readers_beside_a_writer_see_only_whole_files() {
    let (_folder, workspace) = workspace();
    let contents = [vec![b'a'; 100_000], vec![b'b'; 200_000]];
    workspace.write_atomic("file", contents[0].clone()).await.expect("written");

    let writer = async {
        for turn in 0..60 {
            workspace.write_atomic("file", contents[turn % 2].clone()).await.expect("written");
        }
    };
    let reader = async {
        for _ in 0..60 {
            let bytes = workspace.read("file", 1_000_000).await.expect("it is always there");
            assert!(contents.contains(&bytes), "{} bytes that nobody wrote", bytes.len());
        }
    };
    tokio::join!(writer, reader);
}

#[test]
fn a_folder_that_cannot_be_a_workspace_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("written");
    let refused = |path: &Path, denied: &[PathBuf]| match Workspace::open(path, denied) {
        Err(error @ WorkspaceError::Unusable { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };

    assert!(refused(&folder.path().join("missing"), &[]).contains("No such file"));
    assert!(refused(&file, &[]).contains("Not a directory"));
    let inside = refused(folder.path(), &[folder.path().to_owned()]);
    assert!(inside.contains("it lies inside the server's own folder"), "{inside}");
    assert!(inside.ends_with("choose another folder with --workspace"), "{inside}");
}

fn workspace() -> (TempDir, Workspace) {
    let folder = TempDir::new().expect("a folder");
    let workspace = Workspace::open(folder.path(), &[]).expect("a workspace");
    (folder, workspace)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn touch(path: &Path) {
    let file = fs::File::options().write(true).open(path).expect("opened");
    file.set_modified(std::time::UNIX_EPOCH).expect("touched");
}

fn make_pipe(path: &Path) {
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0).expect("a pipe");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}
