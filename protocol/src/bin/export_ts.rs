//! Writes the TypeScript types of the wire to where the web UI reads them.

use std::path::Path;
use std::{fs, io};

use switchboard_protocol::typescript;

fn main() -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(typescript::PATH);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, typescript::generate())?;
    println!("wrote {}", typescript::PATH);
    Ok(())
}
