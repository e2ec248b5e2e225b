//! Claims about what a scripted provider's replies mean; those of `docs/faults.md` carry their ids.

use serde_json::json;

use super::*;

#[tokio::test]
async fn e11_a_stream_that_ends_within_a_call_is_an_error_after_its_retries() {
    for events in 1..4 {
        let answer = || Answer::calls([("file_write", json!({"path": "a", "content": "b"}))]).cut_after(events);
        let llm = ScriptedLlm::of([answer(), answer(), answer()]).await;
        let error = client(&llm, quick()).stream(&question(), &mut ()).await.expect_err("it ended early");
        assert_eq!((error.code(), llm.count()), ("provider-broken-off", 3), "{events}: {error}");
    }
}

#[tokio::test]
async fn e11_a_call_at_the_end_of_a_cut_off_reply_is_not_readable() {
    let answer = || Answer::calls([("list", json!({})), ("file_write", json!({"path": "a"}))]).finish("length");
    for reply in both(|| vec![answer()], quick()).await {
        let reply = reply.expect("a reply");
        assert_eq!(calls(&reply), [call("list", json!({}))]);
        assert_eq!(reply.unreadable_calls[0].name, "file_write");
        assert_eq!(reply.finish, FinishReason::Length);
    }
}

#[tokio::test]
async fn e12_arguments_that_cannot_be_read_are_kept_apart() {
    let large = format!("{{\"content\": \"{}\"}}", "x".repeat(10 << 20));
    for (arguments, problem) in [("{\"path\": ", "not JSON"), ("[1]", "not an object"), (large.as_str(), "larger than")]
    {
        let whole = ScriptedLlm::of([Answer::call_with("file_read", arguments)]).await;
        let reply = client(&whole, quick()).complete(&question()).await.expect("a reply");
        assert!(reply.tool_calls.is_empty());
        assert!(reply.unreadable_calls[0].problem.contains(problem), "{:?}", reply.unreadable_calls[0].problem);
        assert_eq!(reply.unreadable_calls[0].id, "call_1");
    }
    for nothing in ["", " ", "null", "{}"] {
        for reply in both(|| vec![Answer::call_with("list", nothing)], quick()).await {
            assert_eq!(calls(&reply.expect("a reply")), [call("list", json!({}))]);
        }
    }
}

#[tokio::test]
async fn e14_no_id_is_there_twice_and_none_is_missing() {
    let made = |index: usize, id: &str, name: &str| json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": "{}"}});
    let twice =
        || Answer::raw_calls([made(0, "a", "one"), made(1, "a", "one"), made(2, "a", "two"), made(3, "", "three")]);
    for reply in both(|| vec![twice()], quick()).await {
        let reply = reply.expect("a reply");
        let names: Vec<&str> = reply.tool_calls.iter().map(|call| call.name.as_str()).collect();
        let mut ids: Vec<&str> = reply.tool_calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(names, ["one", "two", "three"]);
        ids.sort_unstable();
        ids.dedup();
        assert!(ids.len() == 3 && !ids.contains(&""), "{ids:?}");
    }
    let all_zero = || Answer::raw_calls([made(0, "a", "one"), made(0, "b", "two")]);
    for reply in both(|| vec![all_zero()], quick()).await {
        assert_eq!(calls(&reply.expect("a reply")), [call("one", json!({})), call("two", json!({}))]);
    }
}

#[tokio::test]
async fn e17_every_end_is_told() {
    for (word, finish) in [
        ("stop", FinishReason::Stop),
        ("length", FinishReason::Length),
        ("content_filter", FinishReason::Filtered),
        ("because", FinishReason::Unknown),
        ("", FinishReason::Unknown),
    ] {
        for reply in both(|| vec![Answer::text("So").finish(word)], quick()).await {
            assert_eq!(reply.expect("a reply").finish, finish, "{word}");
        }
    }
}

#[tokio::test]
async fn e18_figures_that_cannot_be_true_are_not_told() {
    for usage in [json!(null), json!({"prompt_tokens": -5, "completion_tokens": 1e30}), json!("many")] {
        for reply in both(|| vec![Answer::text("So").usage(usage.clone())], quick()).await {
            assert_eq!(reply.expect("a reply").usage, None, "{usage}");
        }
    }
}

#[test]
fn only_anthropics_models_behind_openrouter_get_marks_for_the_prompt_cache() {
    let request = LlmRequest { situation: "There is @a.".into(), ..question() };
    let system = |id: &str, model: &str| {
        let base_url = "https://example.org/v1/".parse().expect("an address");
        let endpoint = Endpoint { provider: provider(id).expect("it is known"), base_url, key: None };
        crate::providers::dialect(&endpoint, model).body(&request, true)["messages"][0]["content"].clone()
    };

    assert_eq!(
        system("openrouter", "anthropic/claude-sonnet-4.5"),
        json!([
            {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": "There is @a."},
        ])
    );
    for (id, model) in [("openrouter", "openai/gpt-5"), ("compatible", "anthropic/claude"), ("openai", "gpt-5")] {
        assert_eq!(system(id, model), "Be brief.\n\nThere is @a.", "{id}");
    }
}
