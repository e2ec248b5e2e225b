//! TypeScript types of everything on the wire, as one file without imports; `bin/export_ts.rs` writes it where the
//! web UI reads it, and a test fails when the two differ.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use ts_rs::{Config, TS, TypeVisitor};

use crate::{ClientFrame, FunctionTool, PROTOCOL_VERSION, ServerFrame, ServerMessage, ToolDefinition};

/// Where the file stands, from the root of the workspace.
pub const PATH: &str = "web/src/protocol/generated.ts";

const HEAD: &str = "// The words on the wire between a Switchboard server and its clients.\n\
    // Made from the Rust types in protocol/src. Do not edit: run\n\
    // cargo run -p switchboard-protocol --all-features --bin export_ts\n";

const HELPERS: &str = "
/** The frame from a client with this `type`. */
export type ClientFrameOf<T extends ClientFrame[\"type\"]> = Extract<ClientFrame, { type: T }>;

/** The frame from the server with this `type`. */
export type ServerFrameOf<T extends ServerFrame[\"type\"]> = Extract<ServerFrame, { type: T }>;
";

/// The text of the file.
#[must_use]
pub fn generate() -> String {
    let mut collector = Collector::new();
    collector.visit::<ClientFrame>();
    collector.visit::<ServerFrame>();
    collector.visit::<ServerMessage>();
    collector.visit::<ToolDefinition>();
    collector.visit::<FunctionTool>();

    let mut text = String::from(HEAD);
    text.push_str(&format!("\nexport const PROTOCOL_VERSION = {PROTOCOL_VERSION};\n"));
    text.push_str(HELPERS);
    for declaration in collector.declarations.values() {
        text.push('\n');
        text.push_str(declaration);
    }
    text
}

/// Walks from a type to all it is made of; sorted by name, so that the file does not change by itself.
struct Collector {
    config: Config,
    /// All that [`ServerMessage`] says, as it stands flattened into its envelope.
    message: String,
    seen: HashSet<TypeId>,
    declarations: BTreeMap<String, String>,
}

impl Collector {
    fn new() -> Self {
        let config = Config::new().with_large_int("number");
        let message = ServerMessage::inline_flattened(&config);
        Self { config, message, seen: HashSet::new(), declarations: BTreeMap::new() }
    }
}

impl TypeVisitor for Collector {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Types without a file of their own are built in, or stand for another type.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default().replace("/**\n * ", "/** ").replace("\n */", " */");
            let declaration = T::decl(&self.config).replace(&self.message, "ServerMessage");
            self.declarations.insert(T::ident(&self.config), format!("{docs}export {}\n", tidy(&declaration)));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// Lays a declaration out for people: one alternative of a union a line, comments short, fields indented.
fn tidy(declaration: &str) -> String {
    let text = declaration.replace(" } | {", " }\n| {").replace("/**\n * ", "/** ").replace("\n */", " */");
    let mut lines = text.lines().map(str::trim_end);
    let mut tidied = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        tidied.push_str(if line.starts_with('|') { "\n  " } else { "\n    " });
        tidied.push_str(line);
    }
    tidied
}
