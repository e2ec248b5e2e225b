//! How much of what people would type is read: `cargo run --release -p switchboard-nlu --example phrasings`.
//!
//! `phrasings/{guide,count}.tsv` hold requests by people who have not seen the sentences, each with its workspace and the
//! intent that they meant. The guide is for finding what sentences lack; the other part only counts, and none of its lines
//! is ever shown. `--data FOLDER` reads other sentences than those built in: no compiling after a change. `--show WORD` lists
//! what of the guide is not read, or read as something else, in the topics and intents of that name; `--show all` lists all.

mod bank;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use std::{env, fs};

use bank::{Bank, Outcome};
use switchboard_nlu::Engine;

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let data = option(&mut arguments, "--data");
    let show = option(&mut arguments, "--show");
    let own = data.map(|data| from_folder(&data)).transpose()?;
    let engine = own.as_ref().unwrap_or_else(|| Engine::shipped());
    let bank = Bank::new(engine)?;
    let mut out = io::stdout().lock();
    for part in ["guide", "count"] {
        let lines = bank.lines(part)?;
        let mut tally = Tally::default();
        for line in &lines {
            let began = Instant::now();
            let outcome = bank.outcome(line);
            tally.add(bank.topic(&line.intent), &outcome, began.elapsed());
            let shown = show.as_ref().is_some_and(|word| bank.is_about(line, word));
            if part == "guide" && shown && !matches!(outcome, Outcome::Read) {
                writeln!(out, "{}: {:?} {outcome}", line.intent, line.text)?;
            }
        }
        tally.tell(part, &mut out)?;
    }
    Ok(())
}

/// What came of the requests of each topic.
#[derive(Default)]
struct Tally {
    topics: BTreeMap<String, [usize; 4]>,
    times: Vec<Duration>,
}

impl Tally {
    fn add(&mut self, topic: &str, outcome: &Outcome, took: Duration) {
        let column = match outcome {
            Outcome::Read => 0,
            Outcome::Asked(_) => 1,
            Outcome::Wrong(_) => 2,
            Outcome::Unread(_) => 3,
        };
        self.topics.entry(topic.to_owned()).or_default()[column] += 1;
        self.times.push(took);
    }

    fn all(&self) -> [usize; 4] {
        let add = |sums: [usize; 4], counts: &[usize; 4]| std::array::from_fn(|at| sums[at] + counts[at]);
        self.topics.values().fold([0; 4], add)
    }

    fn tell(mut self, part: &str, out: &mut impl Write) -> io::Result<()> {
        self.times.sort();
        let at = |share: usize| {
            self.times.get(self.times.len().saturating_sub(1) * share / 100).copied().unwrap_or_default()
        };
        writeln!(
            out,
            "\n{part}: {} requests, each in {:.1?} (median), {:.1?} (p99)",
            self.times.len(),
            at(50),
            at(99)
        )?;
        writeln!(out, "{:14} {:>6} {:>7} {:>7} {:>7} {:>8}", "topic", "all", "read", "asked", "wrong", "not read")?;
        for (topic, counts) in self.topics.iter().chain([(&"all".to_owned(), &self.all())]) {
            let all: usize = counts.iter().sum();
            let shares = counts.map(|count| share(count, all));
            writeln!(
                out,
                "{topic:14} {all:6} {:6.1}% {:6.1}% {:6.1}% {:7.1}%",
                shares[0], shares[1], shares[2], shares[3]
            )?;
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
fn share(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// The value of an option, taken out.
fn option(arguments: &mut Vec<String>, name: &str) -> Option<String> {
    let place = arguments.iter().position(|argument| argument == name)?;
    arguments.remove(place);
    (place < arguments.len()).then(|| arguments.remove(place))
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
    sources.sort();
    let named = sources.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Engine::from_sources(named).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of so many requests one is read here: all of them take too long without optimisation.
    const EVERY: usize = 16;

    #[test]
    fn what_outsiders_would_type_is_read_as_well_as_before() {
        let bank = Bank::new(Engine::shipped()).unwrap_or_else(|error| panic!("{error}"));
        for (part, read, wrong) in [("guide", 78, 9), ("count", 57, 15)] {
            let lines = bank.lines(part).unwrap_or_else(|error| panic!("{error}"));
            let mut tally = Tally::default();
            for line in lines.iter().step_by(EVERY) {
                assert!(bank.engine.intent(&line.intent).is_some(), "there is no intent {}", line.intent);
                tally.add(bank.topic(&line.intent), &bank.outcome(line), Duration::ZERO);
            }
            let [right, asked, taken, unread] = tally.all();
            let all = right + asked + taken + unread;

            assert!(right * 100 >= all * read, "{part}: {right} of {all} are read");
            assert!(taken * 100 <= all * wrong, "{part}: {taken} of {all} are read as something else");
        }
    }
}
