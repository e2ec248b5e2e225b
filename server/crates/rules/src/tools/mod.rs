//! Tools that the data does not know by name: which of the found ones a request asks for, and with what, by their schemas.

mod account;
mod choice;
mod chunk;
mod divide;
mod extract;
mod heed;
mod kind;
mod lexer;
mod need;
mod numbers;
mod pick;
mod vocabulary;
mod words;

pub(crate) use choice::{Choice, choose, fitness, from_schema};
pub(crate) use divide::parts;
pub(crate) use extract::EARLIER;
