//! The actor through its handle: messages in, frames out, whatever happens meanwhile.

mod agents;
mod approvals;
mod commits;
mod crashes;
mod edits;
mod failures;
mod interleavings;
mod messages;
mod outcomes;
mod parked;
mod queries;
mod random;
mod resume;

#[test]
fn an_idle_session_is_small() {
    fn bytes_of<F: Future>(_: impl FnOnce(Box<super::ChatServerToolAgent>) -> F) -> usize {
        size_of::<F>()
    }

    let bytes = bytes_of(super::ChatServerToolAgent::run) + size_of::<super::ChatServerToolAgent>();

    assert!(bytes <= 2 * 1024, "{bytes} bytes for each session in memory");
}
