//! No circles between the files of a crate: if one file uses another, that one does not use it, by whatever detour.
//!
//! What a file uses is read from its paths (`crate::`, `super::`, `self::`, names of its own modules), followed through
//! what modules re-export by `pub use`. A module that only re-exports names does not count as using them. Tests do not
//! count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{root, sources};

/// A module's path within its crate; the crate's own is empty.
type Module = Vec<String>;

/// The files of a crate, and what each of them says.
struct Crate {
    texts: BTreeMap<Module, String>,
    /// By module: names that it hands on, and where they come from.
    handed_on: BTreeMap<Module, BTreeMap<String, Module>>,
}

/// A path in a file, and whether the file only hands it on.
struct Used {
    path: String,
    handed_on: bool,
}

impl Crate {
    fn read(folder: &Path) -> Self {
        let mut texts = BTreeMap::new();
        for path in sources(folder, "rs") {
            let inside = path.strip_prefix(folder).expect("a file of the crate").with_extension("");
            let mut module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            let is_test = |part: &String| part.ends_with("tests") || part.starts_with("test_") || part == "fake";
            if module.iter().any(is_test) {
                continue;
            }
            if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                module.pop();
            }
            texts.insert(module, code(&fs::read_to_string(path).expect("a source")));
        }
        let mut all = Self { texts, handed_on: BTreeMap::new() };
        for (module, text) in &all.texts {
            let names = imports(text).into_iter().filter(|used| used.handed_on);
            let names = names.filter_map(|used| all.absolute(module, &used.path));
            all.handed_on.insert(module.clone(), names.filter_map(|to| Some((to.last()?.clone(), to))).collect());
        }
        all
    }

    /// A path from the crate's root; `None` if it leads out of the crate.
    fn absolute(&self, module: &Module, path: &str) -> Option<Module> {
        let mut parts: Module = path.split("::").map(str::to_owned).collect();
        let mut base = module.clone();
        match parts[0].as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                while parts.len() > 1 && parts[1] == "super" {
                    parts.remove(0);
                    base.pop();
                }
                base.pop();
            }
            name => {
                base.push(name.to_owned());
                if !self.texts.contains_key(&base) {
                    return None;
                }
            }
        }
        base.extend(parts.into_iter().skip(1));
        Some(base)
    }

    /// The file that a path ends up in.
    fn file_of(&self, path: &[String], depth: usize) -> Module {
        let known = (0..=path.len()).rev().find(|&end| self.texts.contains_key(&path[..end]));
        let (module, rest) = path.split_at(known.unwrap_or_default());
        let further = rest.first().and_then(|name| self.handed_on.get(module)?.get(name));
        match further.filter(|to| depth < 8 && to.as_slice() != path) {
            Some(to) => self.file_of(&to.iter().chain(&rest[1..]).cloned().collect::<Vec<_>>(), depth + 1),
            None => module.to_vec(),
        }
    }

    fn uses(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let used = |module: &Module, text: &str| -> BTreeSet<Module> {
            let imported = imports(text).into_iter().filter(|used| !used.handed_on).map(|used| used.path);
            let paths = imported.chain(paths(text)).filter_map(|path| self.absolute(module, &path));
            paths.map(|path| self.file_of(&path, 0)).filter(|to| to != module).collect()
        };
        self.texts.iter().map(|(module, text)| (module, used(module, text))).collect()
    }

    /// Files that reach each other.
    fn circles(&self) -> BTreeSet<BTreeSet<String>> {
        let uses = self.uses();
        let reach = |from: &Module| {
            let mut seen = BTreeSet::new();
            let mut open: Vec<&Module> = uses[from].iter().collect();
            while let Some(module) = open.pop() {
                if seen.insert(module) {
                    open.extend(&uses[module]);
                }
            }
            seen
        };
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            uses.keys().map(|module| (*module, reach(module))).collect();
        let circle = |module: &&Module| {
            let with =
                reached.iter().filter(|(other, back)| reached[*module].contains(**other) && back.contains(*module));
            with.map(|(other, _)| other.join("/")).collect::<BTreeSet<_>>()
        };
        uses.keys().map(circle).filter(|circle| circle.len() > 1).collect()
    }
}

/// A source without comments and without the tests at its end.
fn code(text: &str) -> String {
    let end = text.match_indices("#[cfg(test)]\n").find(|(at, _)| {
        let next = text[*at..].lines().nth(1).unwrap_or_default();
        next.contains("mod ") && next.ends_with('{')
    });
    let text = end.map_or(text, |(at, _)| &text[..at]);
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Each `use` of a source: where it begins and ends, and what it says.
fn statements(text: &str) -> Vec<(usize, usize, &str)> {
    let begins = text.match_indices("use ").filter(|(at, _)| {
        let before = text[..*at].rsplit('\n').next().unwrap_or_default().trim();
        before.is_empty() || before.starts_with("pub")
    });
    begins
        .filter_map(|(at, word)| {
            Some((at, at + text[at..].find(';')?, &text[at + word.len()..][..text[at + word.len()..].find(';')?]))
        })
        .collect()
}

fn imports(text: &str) -> Vec<Used> {
    let mut found = Vec::new();
    for (at, _, tree) in statements(text) {
        let handed_on = text[..at].ends_with("pub ") || text[..at].ends_with(") ");
        unfold("", &tree.split_whitespace().collect::<String>(), &mut |path| found.push(Used { path, handed_on }));
    }
    found
}

/// The paths of a `use` tree.
fn unfold(before: &str, tree: &str, found: &mut impl FnMut(String)) {
    let Some((head, body)) = tree.split_once('{') else {
        return found(format!("{before}{tree}"));
    };
    let (mut depth, mut begin) = (0, 0);
    let body = body.strip_suffix('}').unwrap_or(body);
    for (at, sign) in body.char_indices().chain([(body.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if begin < at {
                    unfold(&format!("{before}{head}"), &body[begin..at], found);
                }
                begin = at + 1;
            }
            _ => {}
        }
    }
}

/// Paths outside of `use` that begin at the crate, here, or above.
fn paths(text: &str) -> Vec<String> {
    let statements = statements(text);
    let is_outside = |at: usize| !statements.iter().any(|(begin, end, _)| (*begin..*end).contains(&at));
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    ["crate::", "super::", "self::"]
        .iter()
        .flat_map(|start| text.match_indices(start))
        .filter(|(at, _)| is_outside(*at) && !text[..*at].ends_with(is_name))
        .map(|(at, _)| text[at..].split(|c| !is_name(c)).next().unwrap_or_default().trim_end_matches(':').to_owned())
        .collect()
}

#[test]
fn files_of_a_crate_do_not_use_each_other_in_circles() {
    let rooms = fs::read_dir(root().join("server/crates")).expect("the rooms").flatten();
    let rooms = rooms.map(|room| (room.file_name().to_string_lossy().into_owned(), room.path().join("src")));
    let others = [("protocol", "protocol/src"), ("switchboard", "server/src")];
    let others = others.map(|(name, folder)| (name.to_owned(), root().join(folder)));
    let mut wrong = Vec::new();
    for (room, folder) in rooms.chain(others) {
        let circles = Crate::read(&folder).circles();
        wrong.extend(circles.iter().map(|circle| format!("{room}: {circle:?}")));
    }
    assert!(wrong.is_empty(), "files that use each other:\n{}", wrong.join("\n"));
}
