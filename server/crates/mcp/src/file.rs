//! The file of MCP servers, in the `mcpServers` shape that other hosts use too. It is read once, at the start; nothing a
//! model says ever reaches it.
//!
//! `${NAME}` in a value is the variable `NAME` of the server's environment, so that secrets need not be in the file.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

use super::error::McpError;
use super::names::server_id;
use switchboard_runtime::{Secret, nearest};
use switchboard_sandbox::WorkerProgram;

/// The largest file.
const MAX_BYTES: u64 = 1024 * 1024;

/// How many servers a file may name.
const MAX_SERVERS: usize = 200;

/// The longest "timeout", in seconds.
const MAX_TIMEOUT_SECONDS: u64 = 3600;

/// What a server may say.
const KEYS: [&str; 10] = ["args", "command", "cwd", "disabled", "env", "headers", "timeout", "trust", "type", "url"];

/// Where the servers are named, and what their values may refer to.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct McpConfig {
    /// The file; absent: there are no servers.
    pub file: Option<PathBuf>,
    /// The environment that `${NAME}` refers to, and that servers get a part of.
    pub environment: BTreeMap<String, String>,
    /// What is started to keep each command, and ends with it.
    pub subreaper: WorkerProgram,
}

impl fmt::Debug for McpConfig {
    // The environment may hold keys.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("McpConfig").field("file", &self.file).finish_non_exhaustive()
    }
}

/// One server of the file.
#[derive(Debug, Clone)]
pub(super) struct ServerConfig {
    /// As the file names it.
    pub(super) name: String,
    /// What its tools' names begin with.
    pub(super) id: String,
    /// How it is reached.
    pub(super) transport: ServerTransport,
    /// The command or the address as the file has it, without what may be a key.
    pub(super) shown: String,
    /// What it says of its own tools is believed.
    pub(super) trusted: bool,
    /// How long a call may go without a sign of life.
    pub(super) timeout: Option<Duration>,
}

/// How a server is reached.
#[derive(Debug, Clone)]
pub(super) enum ServerTransport {
    /// By standard input and output of a command.
    Stdio(StdioTransport),
    /// By HTTP.
    Http(HttpTransport),
}

/// A command that is started, without a shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct StdioTransport {
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
    /// All that it sees of an environment.
    pub(super) environment: BTreeMap<String, String>,
    pub(super) folder: PathBuf,
}

/// An address that speaks streamable HTTP.
#[derive(Debug, Clone)]
pub(super) struct HttpTransport {
    pub(super) url: String,
    pub(super) headers: Vec<(String, Secret)>,
}

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct ServerFile {
    /// The servers that are wanted.
    pub(super) servers: Vec<ServerConfig>,
    /// Those that are turned off.
    pub(super) disabled: Vec<String>,
    /// What is odd but harmless.
    pub(super) warnings: Vec<String>,
}

/// Variables that a command gets without being asked for: what programs need to find themselves and their user.
const PASSED_ON: [&str; 12] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "XDG_RUNTIME_DIR",
];

impl ServerFile {
    /// Reads the file.
    pub(super) fn read(path: &Path, environment: &BTreeMap<String, String>) -> Result<Self, McpError> {
        let wrong = |problem: String| McpError::File { path: path.display().to_string(), problem };
        let bytes = fs::metadata(path).map_err(|error| wrong(error.to_string()))?.len();
        if bytes > MAX_BYTES {
            return Err(wrong(format!("it is larger than {MAX_BYTES} bytes")));
        }
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let folder = std::path::absolute(path).ok().and_then(|path| path.parent().map(Path::to_owned));
        let file = Reader { path, folder: folder.unwrap_or_default(), environment };
        file.parse(&text)
    }
}

/// Reads one file.
struct Reader<'a> {
    path: &'a Path,
    folder: PathBuf,
    environment: &'a BTreeMap<String, String>,
}

impl Reader<'_> {
    fn parse(&self, text: &str) -> Result<ServerFile, McpError> {
        let root: Value = serde_json::from_str(text).map_err(|error| self.wrong(format!("it is not JSON: {error}")))?;
        let Some(servers) = root.get("mcpServers") else {
            let hint = r#"it has no "mcpServers"; write {"mcpServers": {"name": {"command": "…", "args": []}}}"#;
            return Err(self.wrong(hint.to_owned()));
        };
        let Value::Object(servers) = servers else {
            return Err(self.wrong("\"mcpServers\" must be an object with one entry per server".to_owned()));
        };
        if servers.len() > MAX_SERVERS {
            return Err(self.wrong(format!("it names {} servers, and the limit is {MAX_SERVERS}", servers.len())));
        }
        let mut file = ServerFile::default();
        let mut ids = BTreeMap::new();
        for (name, entry) in servers {
            let entry = Entry { reader: self, name, keys: self.object(name, entry)? };
            file.warnings.extend(entry.unknown_keys());
            let id = server_id(name).map_err(|problem| entry.wrong("name", problem))?;
            if let Some(other) = ids.insert(id.clone(), name) {
                let problem = format!("it looks the same as \"{other}\" in tool names ({id}__…); rename one of them");
                return Err(entry.wrong("name", problem));
            }
            if entry.flag("disabled")? {
                file.disabled.push(name.clone());
                continue;
            }
            file.servers.push(ServerConfig {
                name: name.clone(),
                id,
                transport: entry.transport()?,
                shown: entry.shown(),
                trusted: entry.flag("trust")?,
                timeout: entry.seconds("timeout")?,
            });
        }
        Ok(file)
    }

    fn object<'a>(&self, name: &str, entry: &'a Value) -> Result<&'a Map<String, Value>, McpError> {
        entry.as_object().ok_or_else(|| {
            let problem = format!("server \"{name}\" must be an object such as {{\"command\": \"npx\", \"args\": []}}");
            self.wrong(problem)
        })
    }

    fn wrong(&self, problem: String) -> McpError {
        McpError::File { path: self.path.display().to_string(), problem }
    }
}

/// One server of a file.
struct Entry<'a> {
    reader: &'a Reader<'a>,
    name: &'a str,
    keys: &'a Map<String, Value>,
}

impl Entry<'_> {
    fn transport(&self) -> Result<ServerTransport, McpError> {
        match self.text("type")?.as_deref() {
            None | Some("stdio" | "http" | "streamable-http" | "streamableHttp") => {}
            Some("sse") => {
                let problem = "the old SSE transport is not supported; give the server's streamable HTTP address and \
                               \"type\": \"http\"";
                return Err(self.wrong("type", problem.to_owned()));
            }
            Some(other) => return Err(self.wrong("type", format!("\"{other}\" is neither \"stdio\" nor \"http\""))),
        }
        match (self.text("command")?, self.text("url")?) {
            (Some(program), None) => Ok(ServerTransport::Stdio(self.command(program)?)),
            (None, Some(url)) => {
                Ok(ServerTransport::Http(HttpTransport { url: self.url(url)?, headers: self.headers()? }))
            }
            (Some(_), Some(_)) => Err(self.wrong("url", "it has a \"command\" too; remove one of them".to_owned())),
            (None, None) => Err(self.wrong("command", "it has neither a \"command\" nor a \"url\"".to_owned())),
        }
    }

    /// The command or the address for people: variables stay `${NAME}`, a user and a query are left out.
    fn shown(&self) -> String {
        let text = |key: &str| self.keys.get(key).and_then(Value::as_str);
        if let Some(url) = text("url") {
            let url = url.split(['?', '#']).next().unwrap_or_default();
            let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
            let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
            let host = host.rsplit('@').next().unwrap_or_default();
            return format!("{scheme}://{host}{path}");
        }
        let arguments = self.keys.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        text("command").into_iter().chain(arguments).map(shell_word).collect::<Vec<_>>().join(" ")
    }

    fn command(&self, program: String) -> Result<StdioTransport, McpError> {
        if program.is_empty() {
            return Err(self.wrong("command", "it is empty".to_owned()));
        }
        let folder = match self.text("cwd")? {
            Some(folder) => self.reader.folder.join(folder),
            None => self.reader.folder.clone(),
        };
        if !folder.is_dir() {
            return Err(self.wrong("cwd", format!("{} is not a folder", folder.display())));
        }
        // A path is one from the file's folder, wherever the server was started; a name is looked up in PATH.
        let is_path = program.contains('/') && !program.starts_with('/');
        let program = if is_path { self.reader.folder.join(program).display().to_string() } else { program };
        let passed_on = self.reader.environment.iter().filter(|(name, _)| PASSED_ON.contains(&name.as_str()));
        let mut environment: BTreeMap<_, _> = passed_on.map(|(name, value)| (name.clone(), value.clone())).collect();
        environment.extend(self.table("env")?);
        Ok(StdioTransport { program, arguments: self.list("args")?, environment, folder })
    }

    fn url(&self, url: String) -> Result<String, McpError> {
        let fits = reqwest::Url::parse(&url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        let problem = || self.wrong("url", format!("\"{url}\" is not an address such as https://example.com/mcp"));
        if fits { Ok(url) } else { Err(problem()) }
    }

    fn headers(&self) -> Result<Vec<(String, Secret)>, McpError> {
        let headers = self.table("headers")?;
        for (name, value) in &headers {
            let fits = reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok()
                && reqwest::header::HeaderValue::from_str(value).is_ok();
            if !fits {
                let problem = format!("\"{name}\" is not a valid header; check its name and its value");
                return Err(self.wrong("headers", problem));
            }
        }
        Ok(headers.into_iter().map(|(name, value)| (name, Secret::new(value))).collect())
    }

    fn flag(&self, key: &str) -> Result<bool, McpError> {
        match self.keys.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(key, format!("it must be true or false, not {other}"))),
        }
    }

    fn seconds(&self, key: &str) -> Result<Option<Duration>, McpError> {
        let Some(value) = self.keys.get(key) else { return Ok(None) };
        match value.as_u64().filter(|seconds| (1..=MAX_TIMEOUT_SECONDS).contains(seconds)) {
            Some(seconds) => Ok(Some(Duration::from_secs(seconds))),
            None => {
                Err(self
                    .wrong(key, format!("it must be a number of seconds from 1 to {MAX_TIMEOUT_SECONDS}, not {value}")))
            }
        }
    }

    fn text(&self, key: &str) -> Result<Option<String>, McpError> {
        self.keys.get(key).map(|value| self.expanded(key, value)).transpose()
    }

    fn list(&self, key: &str) -> Result<Vec<String>, McpError> {
        match self.keys.get(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => values.iter().map(|value| self.expanded(key, value)).collect(),
            Some(other) => Err(self.wrong(key, format!("it must be a list of strings, not {other}"))),
        }
    }

    fn table(&self, key: &str) -> Result<BTreeMap<String, String>, McpError> {
        match self.keys.get(key) {
            None => Ok(BTreeMap::new()),
            Some(Value::Object(table)) => {
                let entries = table.iter();
                entries.map(|(name, value)| Ok((name.clone(), self.expanded(key, value)?))).collect()
            }
            Some(_) => Err(self.wrong(key, "it must be an object whose values are strings".to_owned())),
        }
    }

    /// A text with the variables it names.
    fn expanded(&self, key: &str, value: &Value) -> Result<String, McpError> {
        let Value::String(text) = value else {
            return Err(self.wrong(key, "each value must be a string in quotes".to_owned()));
        };
        if text.contains('\0') {
            return Err(self.wrong(key, "a string must not contain a zero byte".to_owned()));
        }
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(start) = rest.find("${") {
            out.push_str(&rest[..start]);
            let Some(end) = rest[start..].find('}') else { break };
            let inside = &rest[start + 2..start + end];
            let (name, default) = inside.split_once(":-").map_or((inside, None), |(name, text)| (name, Some(text)));
            match self.reader.environment.get(name).map(String::as_str).or(default) {
                Some(value) => out.push_str(value),
                None => {
                    let problem = format!("{name} is not set in the environment; set it before starting the server");
                    return Err(self.wrong(key, problem));
                }
            }
            rest = &rest[start + end + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    fn unknown_keys(&self) -> Vec<String> {
        let unknown = self.keys.keys().filter(|key| !KEYS.contains(&key.as_str()));
        unknown
            .map(|key| {
                let hint = match nearest(key, KEYS.iter().copied(), 1).first() {
                    Some(near) => format!("; did you mean \"{near}\"?"),
                    None => String::new(),
                };
                format!("MCP server \"{}\": \"{key}\" is not a setting and is ignored{hint}", self.name)
            })
            .collect()
    }

    fn wrong(&self, key: &str, problem: String) -> McpError {
        McpError::Server {
            path: self.reader.path.display().to_string(),
            server: self.name.to_owned(),
            key: key.to_owned(),
            problem,
        }
    }
}

/// A word as a shell would take it.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@=,+%${}".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
