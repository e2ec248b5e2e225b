//! Faults and attacks of the catalogue that go over a socket, one file a subject; each test is named by its id.

mod mcp;
mod permissions;
mod web;
