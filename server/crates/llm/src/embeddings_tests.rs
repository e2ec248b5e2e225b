//! Claims about what an OpenAI-compatible `/embeddings` is asked, and which answers are taken.

use super::*;
use crate::scripted::{Answer, ScriptedLlm};

const KEY: &str = "k-test-0123456789abcdef";
const LIMIT: Duration = Duration::from_secs(60);

async fn embed(answer: Answer, texts: &[&str]) -> (Result<Vec<Vec<f32>>, String>, ScriptedLlm) {
    let server = ScriptedLlm::of([answer]).await;
    let config = EmbeddingsConfig {
        url: server.base_url().parse().ok(),
        model: Some("small".to_owned()),
        key: Some(Secret::new(KEY)),
    };
    let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    let embeddings = Embeddings::new(config).expect("an address");
    (embeddings.embed(&texts, LIMIT).await, server)
}

fn item(index: usize, vector: &Value) -> Value {
    json!({"object": "embedding", "index": index, "embedding": vector})
}

#[tokio::test]
async fn texts_are_sent_with_model_and_key_and_vectors_come_back_in_their_order() {
    let data = json!({"data": [item(1, &json!([3, 4.5])), item(0, &json!([1, 2]))]});

    let (vectors, server) = embed(Answer::status_with(200, data), &["one", "two"]).await;

    assert_eq!(vectors, Ok(vec![vec![1.0, 2.0], vec![3.0, 4.5]]));
    let asked = &server.all()[0];
    assert!(asked.path.ends_with("/v1/embeddings"), "{}", asked.path);
    assert!(asked.head.to_lowercase().contains(&format!("authorization: bearer {KEY}")));
    assert_eq!(asked.body, json!({"model": "small", "input": ["one", "two"], "encoding_format": "float"}));
}

#[tokio::test]
async fn an_answer_that_is_no_list_of_vectors_says_so() {
    let wrong = [
        json!({"error": "no"}),
        json!({"data": []}),
        json!({"data": [item(7, &json!([1]))]}),
        json!({"data": [item(0, &json!("AAAA"))]}),
        json!({"data": [item(0, &json!([]))]}),
    ];
    for body in wrong {
        let (vectors, _) = embed(Answer::status_with(200, body.clone()), &["one"]).await;
        let why = vectors.expect_err("no vectors");
        assert!(why.contains("it is JSON, but"), "{body}: {why}");
    }
}

#[tokio::test]
async fn a_refusal_says_why_without_the_key() {
    let (vectors, _) = embed(Answer::status(401, &format!("the key {KEY} is wrong")), &["one"]).await;

    let why = vectors.expect_err("a refusal");
    assert!(why.contains("is wrong") && !why.contains(KEY), "{why}");
}
