//! The intents and their sentences, as they stand in `intents/<topic>.toml`.
//!
//! # An intent
//! ```toml
//! [[intent]]
//! name = "count_lines"           # unique in all files, snake_case
//! risk = "read"                  # none | read | write | execute: what its strictest step does; sets how sure it must be
//! sentences = [                  # templates, see below; write what people type, without a question mark
//!   "how many lines (are|are there) in {file:file}",
//!   "[<please>] count [all] [the] lines (in|of) {file:file}",
//! ]
//! constants = { unit = "lines" } # values of the plan that no word gives; "{unit}" in steps and say, or read by the operation
//! steps = [ { tool = "file_read", arguments = { file_path = "{file}" } } ]
//! reply = "count"                # an operation of the crate `rules`, or say = "text with {slots} and {result}"
//! summary = "count the lines of {file}"   # imperative, how the plan is told; must be understood as this intent itself
//!
//! [intent.defaults]              # what slots are that were not said; such slots are not required
//! n = 10
//! [intent.ask]                   # what is asked when a required slot is missing
//! file = "Which file's lines shall I count?"
//! ```
//! `constants = { whole = "story" }` is for sentences that tell something before they ask ("box 4 was sold, delete it"): the text
//! is not divided where such a sentence has all of it; with `"behind commas"`, not at commas behind which only a place stands.
//! `required = ["file"]` makes slots required that would not be by this rule. Nothing else may stand in an intent; an unknown key is an error. A slot is required if the
//! `arguments` of a step without `if` or the `say` use it, or if all sentences have it outside `[…]`, and it has no default and
//! no constant. (Not if only `run` uses it: an element whose slot is not filled is left out.)
//!
//! # A sentence
//! - `(a|b c)` one of these, `[x]` or not, `[a|b]` one of these or none; they nest. A whole sentence or phrase may be `a|b`, too.
//! - `line[s]`, with no space before the bracket, is `(line|lines)`; no space is needed elsewhere.
//! - `{slot:type}` a typed slot; the types are those of [`SlotType`](crate::SlotType) in snake_case. `{slot}` alone is a slot whose name
//!   is a type: `{file}` is `{file:file}`. `{order:choice=largest,smallest}` takes one of the words listed, which may be of several words.
//!   A slot may have several types in the sentences of its intent; the first is the one that is asked for.
//! - `<name>` a phrase of `words.toml`; phrases may use phrases.
//! - A choice with a value: `{order:choice=desc:largest|biggest|top,asc:smallest|lowest}` takes `biggest` and holds `desc`.
//! - Words are compared in lower case and without what inflects them ("lines" reads "line" at a small cost). Punctuation is
//!   free, so leave it out; `what's` is read as `what is`, `don't` as `do not`.
//! - Fillers (`please`, `the`, `a`, `my`: `[lists] filler`) cost next to nothing, in the request and in the sentence: write
//!   them only where they would be odd to leave out. The same word order and the words that carry the meaning are what counts.
//! - Introductions (`can you please`, `i would like to`, `tell me`: `[lists] introductions`) are free before every sentence; leave
//!   them out.
//! - Words of one group of `[alike]` read for each other at 0.05.
//! - The words that no sentence has make a request be refused, so write variants: verbs, questions, telegrams (`lines
//!   config.json`), with the file first and last.
//!
//! # A step
//! `{ tool = "file_read", arguments = { file_path = "{file}" } }`, or `{ run = ["git", "log", "-n", "{n}"] }` (an argv; each
//! element is quoted on its own; an element whose slot is not filled is left out; `{files...}` spreads a list), or
//! `{ tool = "file_edit", edit = "append", arguments = { … } }`: an operation of `rules` that computes the arguments from what
//! an earlier step read. `"{slot}"` alone is the typed value, in other text its text. `if = "slot"`: only if that slot is
//! filled. `unless = "slot"`: only if not. `output = "{name}"` names the artifact. `{result}` is the step before's value.
//!
//! # words.toml
//! `[phrases]` name = template; `[spellings]` as typed = as read (`whats = "what is"`); `[lists]` name = words, used by the
//! engine by these names; `[tables.…]`: words and what they mean.

mod intent;
mod sample;
mod source;
mod template;

pub use intent::{Intent, Risk, Slot, Step};
pub(crate) use sample::sample;
pub use source::CorpusError;
pub(crate) use source::{Corpus, Sentence};
pub(crate) use template::{Node, Parts, SlotNode};
