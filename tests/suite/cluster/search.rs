//! What was said at one server is found at another.

use switchboard_tests::request;

use super::Cluster;
use crate::search::until;

#[tokio::test]
async fn what_is_said_at_one_server_is_found_at_another_until_it_is_deleted() {
    let mut cluster = Cluster::start(2).await;
    let [first, second] = &cluster.servers[..] else { panic!("there are two") };
    let mut client = first.connect().await;
    let session = client.session();
    client.ask("Remember that the Größe of the Überschrift is 42 pixels").await;

    let found = until(second, "überschrift", 1).await;
    assert_eq!(found["results"][0]["session"]["sessionId"], session.to_string(), "{found:#}");
    client.ask("What is 6 * 7?").await.answered();
    until(second, "6 * 7", 1).await;
    until(first, "überschrift", 1).await;

    // A server that starts anew has it, too.
    cluster.servers[1].kill().await;
    cluster.servers[1].start_again().await;
    let [first, second] = &cluster.servers[..] else { panic!("there are two") };
    until(second, "überschrift", 1).await;

    let gone = request(first.address(), "DELETE", &format!("/api/sessions/{session}"), &[], b"").await;
    assert_eq!(gone.status, 204, "{}", gone.text());
    until(second, "überschrift", 0).await;
}
