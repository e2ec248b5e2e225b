//! Everything here speaks to the started binary over real sockets.

mod approvals;
mod bad_input;
mod calls;
mod cancellation;
mod chat;
mod conversation;
mod crash;
mod faults;
mod guard;
mod house;
mod http_api;
mod mcp;
mod paraphrases;
mod permissions;
mod proxy;
mod queries;
mod reconnect;
mod recovery;
mod scripts;
mod service;
mod sessions;
mod shutdown;
mod slash;
mod steering;
mod tool_chain;
mod variables;
