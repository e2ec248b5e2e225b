//! Lists the files of `intents/`, so that a new topic is one new file.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = Path::new(&root).join("intents");
    println!("cargo::rerun-if-changed=intents");
    let mut names = fs::read_dir(&folder)?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<Vec<_>>>()?;
    names.retain(|name| name.ends_with(".toml"));
    names.sort();
    let mut listed = String::from("&[\n");
    for name in names {
        let path = folder.join(&name);
        println!("cargo::rerun-if-changed={}", path.display());
        listed.push_str(&format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string()));
    }
    listed.push_str("]\n");
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("shipped.rs"), listed)
}
