//! Builds the web page for release builds, when its sources changed and npm is there; `web/dist` is then embedded.
//! Without npm, or when its build fails, the server is built without the page and says so.
//! `SWITCHBOARD_SKIP_UI=1` leaves `web/` alone.
//!
//! Where Rust brings its own linker, a release binary says the same code once (0.8 MB less) and packs the addresses that are
//! corrected when it is loaded (2.5 MB less, and 2 MiB less of memory, since they are not read page by page).

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

const SOURCES: [&str; 6] = ["package.json", "package-lock.json", "build.mjs", "index.html", "favicon.svg", "src"];

fn main() {
    let web = Path::new("../web");
    println!("cargo::rerun-if-env-changed=SWITCHBOARD_SKIP_UI");
    // A folder that is not there when the server is compiled would not be looked into later, when the page is made.
    if web.join("package.json").exists() {
        drop(fs::create_dir_all(web.join("dist")));
    }
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    let is_release = env("PROFILE").as_deref() == Some("release");
    if is_release && links_with_lld() {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        if loads_packed_addresses() {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
    if !is_release || env("SWITCHBOARD_SKIP_UI").is_some_and(|skip| skip == "1") || !web.join("package.json").exists() {
        return;
    }
    println!("cargo::rerun-if-changed={}", web.join("dist/index.html").display());
    if let Err(problem) = build(web) {
        for line in problem.lines() {
            println!("cargo::warning={line}");
        }
        println!("cargo::warning=built without a new web page; the server itself is complete");
    }
}

/// Whether the linker is the one that comes with Rust for this target, and nobody chose another.
fn links_with_lld() -> bool {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let is_default = env("TARGET").as_deref() == Some(TARGET)
        && env("RUSTC_LINKER").is_none()
        && env("CARGO_ENCODED_RUSTFLAGS").is_none_or(|flags| flags.is_empty());
    let sysroot = || Command::new(env("RUSTC")?).args(["--print", "sysroot"]).output().ok();
    is_default
        && sysroot().and_then(|output| String::from_utf8(output.stdout).ok()).is_some_and(|sysroot| {
            Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).join("bin/gcc-ld/ld.lld").exists()
        })
}

/// Whether the C library here unpacks such addresses: glibc does since 2.36, and an older one refuses to start the program.
fn loads_packed_addresses() -> bool {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    let version = version.as_deref().and_then(|said| said.trim().strip_prefix("glibc ")?.split_once('.'));
    let version = version.map(|(major, minor)| (major.parse::<u32>(), minor.parse::<u32>()));
    matches!(version, Some((Ok(major), Ok(minor))) if (major, minor) >= (2, 36))
}

fn env(name: &str) -> Option<String> {
    std::env::var_os(name)?.into_string().ok()
}

fn build(web: &Path) -> Result<(), String> {
    // Several builds may run at once, in this target folder and in others.
    let lock = File::open(web.join("package.json")).map_err(|error| error.to_string())?;
    lock.lock().map_err(|error| error.to_string())?;

    let fingerprint = fingerprint(web);
    let stamp = web.join("node_modules/.switchboard-sources");
    if web.join("dist/index.html").exists() && fs::read_to_string(&stamp).is_ok_and(|known| known == fingerprint) {
        return Ok(());
    }
    let installed = modified(&web.join("node_modules/.package-lock.json"));
    if installed.is_none() || installed < modified(&web.join("package-lock.json")) {
        npm(web, &["ci", "--no-audit", "--no-fund"])?;
    }
    npm(web, &["run", "build"])?;
    fs::write(&stamp, fingerprint).map_err(|error| error.to_string())?;
    // Cargo runs this script again when the page is newer than the script's last start; it is just being made.
    let page = File::options().append(true).open(web.join("dist/index.html"));
    page.and_then(|page| page.set_modified(SystemTime::UNIX_EPOCH)).map_err(|error| error.to_string())
}

fn npm(web: &Path, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("npm")
        .args(arguments)
        .current_dir(web)
        .output()
        .map_err(|error| format!("npm is needed for the web page and cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = said.lines().rev().take(5).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    Err(format!("`npm {}` in web/ failed:\n{}", arguments.join(" "), last.join("\n")))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

fn fingerprint(web: &Path) -> String {
    let mut files: Vec<PathBuf> = Vec::new();
    for source in SOURCES {
        collect(&web.join(source), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        hasher.write(file.as_os_str().as_encoded_bytes());
        hasher.write(&fs::read(&file).unwrap_or_default());
    }
    format!("{:016x}", hasher.finish())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}
