//! The dialogue: what a message means after those before it, what is done for it, and what is said.

mod amend;
mod bound;
mod call;
mod ellipsis;
mod expression;
mod first;
mod follow;
mod foreign;
mod gather;
mod leaning;
mod look_up;
mod meaning;
mod mind;
mod offer;
mod otherwise;
mod paths;
mod plan;
mod project;
mod recent;
mod refer;
mod refuse;
mod replies;
mod roles;
mod rows;
mod running;
mod settle;
mod shape;
mod shown;
mod tabular;
mod thresholds;
mod turn;
mod value;
mod world;

pub(crate) use turn::RulesTurn;
pub use world::{NoNames, WorkspaceNames};
