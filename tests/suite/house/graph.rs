//! The graph of the crates: Cargo holds it, and the drawing in ARCHITECTURE.md shows it, without the arrows that follow
//! from others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::Value;

use super::root;

/// Crates by the names of their rooms, each with what it builds on.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Third-party crates that are the matter of these rooms only.
const OWNED: &[(&str, &[&str])] = &[
    ("axum", &["switchboard"]),
    ("clap", &["switchboard"]),
    ("rusqlite", &["store", "tables"]),
    ("rmcp", &["mcp"]),
    ("landlock", &["sandbox"]),
    ("nix", &["sandbox"]),
    ("seccompiler", &["sandbox"]),
    ("rustls", &["net"]),
];

/// Rooms that only the program names; all others know their traits.
const CHOSEN_BY_THE_PROGRAM: &[&str] = &["builtin", "rules", "store"];

fn packages() -> Vec<Value> {
    let asked = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let told = Command::new(env!("CARGO")).args(asked).current_dir(root()).output().expect("cargo runs");
    let mut told: Value = serde_json::from_slice(&told.stdout).expect("cargo answers in JSON");
    let Value::Array(packages) = told["packages"].take() else { panic!("cargo lists packages") };
    packages.into_iter().filter(|package| package["name"] != "switchboard-tests").collect()
}

fn room(name: &Value) -> String {
    let name = name.as_str().expect("a crate has a name");
    name.strip_prefix("switchboard-").unwrap_or(name).to_owned()
}

/// What a package is built with by default: not what its tests need, nor what a feature for tests brings.
fn dependencies(package: &Value) -> impl Iterator<Item = &Value> {
    let all = package["dependencies"].as_array().into_iter().flatten();
    all.filter(|dependency| dependency["kind"].is_null() && dependency["optional"] == false)
        .map(|dependency| &dependency["name"])
}

fn graph() -> Graph {
    let ours = |name: &&Value| name.as_str().is_some_and(|name| name.starts_with("switchboard"));
    let of = |package: &Value| (room(&package["name"]), dependencies(package).filter(ours).map(room).collect());
    packages().iter().map(of).collect()
}

fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let next = &graph[from];
    next.iter().flat_map(|room| reached(graph, room)).chain(next.iter().cloned()).collect()
}

/// The arrows that do not follow from others.
fn arrows(graph: &Graph) -> BTreeSet<String> {
    let of = |(from, next): (&String, &BTreeSet<String>)| -> Vec<String> {
        let follows = |to: &String| next.iter().any(|other| other != to && reached(graph, other).contains(to));
        next.iter().filter(|to| !follows(to)).map(|to| format!("{from} --> {to}")).collect()
    };
    graph.iter().flat_map(of).collect()
}

#[test]
fn the_drawing_of_the_crates_is_the_graph_that_cargo_holds() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let drawing = page.split("```mermaid").nth(1).and_then(|rest| rest.split("```").next()).expect("the drawing");
    let drawn: BTreeSet<String> =
        drawing.lines().map(str::trim).filter(|line| line.contains("-->")).map(str::to_owned).collect();

    assert_eq!(drawn, arrows(&graph()), "left: drawn in ARCHITECTURE.md, right: the manifests");
}

#[test]
fn what_is_one_room_s_matter_is_named_by_no_other() {
    let mut wrong = Vec::new();
    for package in packages() {
        let own = room(&package["name"]);
        for name in dependencies(&package) {
            let owners = OWNED.iter().find(|(library, _)| name == *library).map(|(_, owners)| *owners);
            if owners.is_some_and(|owners| !owners.contains(&own.as_str())) {
                wrong.push(format!("{own} names {name}"));
            }
            let used = room(name);
            if CHOSEN_BY_THE_PROGRAM.contains(&used.as_str()) && own != "switchboard" {
                wrong.push(format!("{own} names {used}, which only the program chooses"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
