//! Tries the sentences on each other: `cargo run --release -p switchboard-nlu --example calibrate -- [FOLDER] [INTENT…]`.
//!
//! Texts that each sentence stands for are read twice: with it, which shows what another intent takes away, and without it,
//! which shows how well the others stand in for what nobody wrote down. FOLDER holds the data, else those built in are read;
//! with names of intents, each of their failures is shown; `--tools` adds two sentences for each of 5,263 tools.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use jiff::Zoned;
use switchboard_nlu::{Engine, Intent, Paths, SlotType, World};

struct Desk(Paths);

impl World for Desk {
    fn paths(&self) -> &Paths {
        &self.0
    }

    fn now(&self) -> Zoned {
        "2026-03-04T10:00:00[UTC]".parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn is_program(&self, name: &str) -> bool {
        ["git", "ls", "cargo", "npm", "python3", "grep", "find", "cat", "docker"].contains(&name)
    }

    fn is_memory(&self, key: &str) -> bool {
        key == "wifi password"
    }

    fn is_column(&self, name: &str) -> bool {
        ["price", "status", "region"].contains(&name)
    }

    fn is_cell(&self, value: &str) -> bool {
        ["refunded", "north"].contains(&value)
    }

    fn is_tool(&self, name: &str) -> bool {
        name == "get_weather"
    }
}

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let folder = (!arguments.is_empty()).then(|| arguments.remove(0)).filter(|folder| folder != "-");
    let began = Instant::now();
    let own = folder.map(|folder| from_folder(&folder)).transpose()?;
    let engine = own.as_ref().unwrap_or_else(|| Engine::shipped());
    println!("compiled in {:.1?}", began.elapsed());
    let with_tools = arguments.iter().position(|argument| argument == "--tools");
    let began = Instant::now();
    let more = with_tools.map(|_| engine.with_intents("tools", tools())).transpose().map_err(io::Error::other)?;
    println!("more sentences compiled in {:.1?}", began.elapsed());
    let engine = more.as_ref().unwrap_or(engine);
    let files = [
        "config.json",
        "notes.txt",
        "data/orders.csv",
        "users.json",
        "app.log",
        "src/main.py",
        "README.md",
        "a.txt",
        "b.txt",
    ];
    let desk = Desk(Paths::new(files, ["docs"]));
    let mut seed = 7;
    let mut found = Outcomes::default();
    for intent in engine.intents().filter(|intent| intent.topic != "tools") {
        let verbose = arguments.contains(&intent.name);
        for sentence in 0..intent.sentences.len() {
            for _ in 0..3 {
                let text = engine.sample(intent, sentence, &mut |ways| choose(&mut seed, ways), &fill);
                found.attempt(engine, intent, sentence, &text, &desk, verbose);
            }
        }
    }
    found.tell();
    summaries(engine, &desk);
    Ok(())
}

/// Lists the summaries that are not read as their own intent.
fn summaries(engine: &Engine, desk: &Desk) {
    println!("summaries that are read otherwise:");
    for intent in engine.intents().filter(|intent| !intent.summary.is_empty()) {
        let mut text = intent.summary.clone();
        for (name, slot) in &intent.slots {
            text = text.replace(&format!("{{{name}}}"), &fill(slot.kind));
        }
        for (name, value) in intent.constants.iter().chain(&intent.defaults) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            text = text.replace(&format!("{{{name}}}"), &value);
        }
        let reading = engine.read(&text, desk);
        let best =
            reading.clauses.first().and_then(|clause| clause.candidates.first()).filter(|_| reading.clauses.len() == 1);
        if best.is_none_or(|best| best.intent.name != intent.name || best.score > 0.3) {
            let (taker, cost) = best.map_or(("nothing", 9.0), |best| (&best.intent.name, best.score));
            println!("  {}: {text:?} is {taker} at {cost:.2}", intent.name);
        }
    }
}

/// As many intents as there are tools in the largest public sets.
fn tools() -> Vec<Intent> {
    let verbs = ["get", "list", "create", "update", "delete", "search", "fetch", "send", "convert", "check", "find"];
    let things =
        ["weather", "user", "order", "message", "invoice", "ticket", "flight", "hotel", "song", "recipe", "stock"];
    let parts = [
        "status", "price", "history", "details", "forecast", "address", "report", "rating", "comment", "image",
        "location",
    ];
    let mut tools = Vec::new();
    for (number, verb) in verbs.into_iter().cycle().take(5263).enumerate() {
        let (thing, part) = (things[number / 11 % 11], parts[number / 121 % 11]);
        let sentences = vec![
            format!("{verb} {thing} {part} v{} {{rest:phrase}}", number / 1331),
            format!("{verb} [the] {part} (of|for) [a] {thing} {{rest:phrase}}"),
        ];
        tools.push(Intent { name: format!("tool_{number}"), sentences, ..Intent::default() });
    }
    tools
}

/// What came of the readings.
#[derive(Default)]
struct Outcomes {
    with: usize,
    taken: BTreeMap<(String, String), (usize, String)>,
    mistaken: BTreeMap<(String, String), (usize, String)>,
    /// Costs of what was read without the sentence, and whether the intent was right.
    without: Vec<(f32, bool)>,
    unread: usize,
    times: Vec<(Duration, String)>,
}

impl Outcomes {
    fn attempt(&mut self, engine: &Engine, intent: &Intent, sentence: usize, text: &str, desk: &Desk, verbose: bool) {
        let began = Instant::now();
        let reading = engine.read(text, desk);
        self.times.push((began.elapsed(), text.to_owned()));
        self.with += 1;
        let best =
            reading.clauses.first().and_then(|clause| clause.candidates.first()).filter(|_| reading.clauses.len() == 1);
        let taker = best.map_or("(nothing, or divided)", |best| &best.intent.name);
        if taker != intent.name {
            let entry = self.taken.entry((intent.name.clone(), taker.to_owned())).or_default();
            *entry = (entry.0 + 1, text.to_owned());
            if verbose {
                println!("{}: {text:?} is taken by {taker} at {:.2}", intent.name, best.map_or(9.0, |best| best.score));
            }
        }
        match engine.read_without(text, desk, &intent.name, sentence).first() {
            Some(best) => {
                let right = best.intent.name == intent.name;
                self.without.push((best.score, right));
                if !right && best.score <= 0.3 {
                    let entry = self.mistaken.entry((intent.name.clone(), best.intent.name.clone())).or_default();
                    *entry = (entry.0 + 1, format!("{:.2} {text}", best.score));
                }
            }
            None => self.unread += 1,
        }
    }

    fn tell(mut self) {
        let taken: usize = self.taken.values().map(|(count, _)| count).sum();
        println!("with all sentences: {} texts, {taken} read as another intent; the most frequent:", self.with);
        list(&self.taken);
        println!(
            "without the sentence itself: {} texts, {} with no reading; area under the curve {:.3}",
            self.without.len() + self.unread,
            self.unread,
            area(&self.without)
        );
        println!("wrong at 0.3 or less without the sentence; the most frequent:");
        list(&self.mistaken);
        println!("   cost   right  wrong   (read by others at that cost)");
        let all = self.without.len() + self.unread;
        let mut before = -1.0;
        for bound in [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1.0, 2.4] {
            let within = |right: bool| {
                self.without
                    .iter()
                    .filter(|(cost, is_right)| *is_right == right && *cost > before + 1e-6 && *cost <= bound + 1e-6)
                    .count()
            };
            println!(
                "  <={bound:4.2}  {:5.1}% {:5.1}%",
                100.0 * share(within(true), all),
                100.0 * share(within(false), all)
            );
            before = bound;
        }
        self.times.sort();
        let at = |part: usize| self.times[(self.times.len() - 1) * part / 100].0;
        println!("time of a reading: median {:.0?}, p99 {:.0?}, most {:.0?}", at(50), at(99), at(100));
        self.times.iter().rev().take(5).for_each(|(time, text)| println!("  {time:.1?}  {text}"));
    }
}

fn list(pairs: &BTreeMap<(String, String), (usize, String)>) {
    let mut pairs: Vec<_> = pairs.iter().collect();
    pairs.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for ((intent, taker), (count, text)) in pairs.into_iter().take(40) {
        println!("  {count:3}  {intent} -> {taker}: {text}");
    }
}

/// How surely a right reading costs less than a wrong one.
fn area(readings: &[(f32, bool)]) -> f64 {
    let (mut pairs, mut ordered) = (0.0, 0.0);
    for (right, _) in readings.iter().filter(|(_, right)| *right) {
        for (wrong, _) in readings.iter().filter(|(_, right)| !*right) {
            pairs += 1.0;
            ordered += if right < wrong {
                1.0
            } else if right > wrong {
                0.0
            } else {
                0.5
            };
        }
    }
    ordered / f64::max(pairs, 1.0)
}

#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

/// One of that many, by a plain generator.
fn choose(seed: &mut u64, ways: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap_or(0) % ways.max(1)
}

fn fill(kind: SlotType) -> String {
    match kind {
        SlotType::File => "config.json",
        SlotType::Folder => "src",
        SlotType::NewPath => "backup.txt",
        SlotType::Glob => "*.md",
        SlotType::Files => "a.txt and b.txt",
        SlotType::Content => "\"hello there\"",
        SlotType::Text => "zebra",
        SlotType::Phrase | SlotType::Told => "the blue lagoon",
        SlotType::Word | SlotType::Name => "zulu",
        SlotType::Number | SlotType::Count => "4",
        SlotType::Percent => "15%",
        SlotType::Quantity => "5 km",
        SlotType::Unit => "miles",
        SlotType::Currency => "euro",
        SlotType::Date => "tomorrow",
        SlotType::Time => "10:30",
        SlotType::Duration => "3 days",
        SlotType::Zone => "tokyo",
        SlotType::Expression => "3 * (4 + 5)",
        SlotType::Line => "7",
        SlotType::Lines => "3 to 5",
        SlotType::Variable => "@cfg",
        SlotType::Memory => "wifi password",
        SlotType::Column => "price",
        SlotType::Cell => "refunded",
        SlotType::Key => "db.port",
        SlotType::Value => "60",
        SlotType::Url => "https://example.com/x",
        SlotType::Identifier => "max_size",
        SlotType::Host => "example.com",
        SlotType::Port => "8080",
        SlotType::Program => "docker",
        SlotType::Command => "`ls -l`",
        SlotType::Branch => "feature/login",
        SlotType::Commit => "a1b2c3d",
        SlotType::Extension => "python",
        SlotType::Size => "10 MB",
        SlotType::Tool => "get_weather",
        SlotType::Ref => "it",
        SlotType::Choice => "",
    }
    .to_owned()
}

fn from_folder(folder: &str) -> io::Result<Engine> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            sources.push((name, fs::read_to_string(&path)?));
        }
    }
    let named = sources.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Engine::from_sources(named).map_err(io::Error::other)
}
