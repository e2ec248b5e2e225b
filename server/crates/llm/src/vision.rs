//! Which models can be shown pictures, where neither the provider nor a setting says it: by their names.

use serde_json::Value;

/// Beginnings of the names of OpenAI's models that take pictures, and of those among them that do not.
const OPENAI: [&str; 7] = ["gpt-4o", "gpt-4.1", "gpt-4-turbo", "gpt-5", "o1", "o3", "o4"];
const NOT_OPENAI: [&str; 5] = ["o1-mini", "o1-preview", "o3-mini", "gpt-4-turbo-preview", "gpt-4o-audio"];

/// The first models of Anthropic, which read only.
const NOT_ANTHROPIC: [&str; 2] = ["claude-2", "claude-instant"];

/// What the names of models with open weights have in them that see: a family, or the ability itself.
const OPEN: [&str; 16] = [
    "-vl",
    "vl-",
    ".vl",
    "vision",
    "llava",
    "pixtral",
    "moondream",
    "minicpm-v",
    "internvl",
    "smolvlm",
    "gemma-3",
    "gemma3",
    "llama-4",
    "llama4",
    "mistral-small3",
    "multimodal",
];

/// Whether a model sees, by its name without a maker's folder.
pub(super) fn known(provider: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let begins = |names: &[&str]| names.iter().any(|beginning| name.starts_with(beginning));
    let openai = begins(&OPENAI) && !begins(&NOT_OPENAI) && !name.contains("search-preview");
    match provider {
        "openai" => openai,
        "anthropic" => !begins(&NOT_ANTHROPIC),
        "gemini" => !name.contains("gemma") && !name.contains("embedding"),
        // Of others the name has to say it: a picture that a model does not take ends the turn of some servers.
        _ => {
            let claude = name.starts_with("claude-") && !begins(&NOT_ANTHROPIC);
            openai || claude || name.starts_with("gemini-") || OPEN.iter().any(|part| name.contains(part))
        }
    }
}

/// Whether a listed model sees, if its provider says so: OpenRouter's field, Mistral's, and Anthropic's.
pub(super) fn listed(model: &Value) -> Option<bool> {
    let modalities = model.pointer("/architecture/input_modalities").and_then(Value::as_array);
    let modalities = modalities.map(|all| all.iter().any(|modality| modality == "image"));
    let flag = |pointer: &str| model.pointer(pointer).and_then(Value::as_bool);
    modalities.or_else(|| flag("/capabilities/vision")).or_else(|| flag("/capabilities/image_input/supported"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn well_known_models_are_known_by_their_names() {
        for (provider, name) in [
            ("openai", "gpt-4.1-mini"),
            ("openai", "gpt-5"),
            ("anthropic", "claude-sonnet-4-5"),
            ("gemini", "gemini-2.5-flash"),
            ("vllm", "Qwen2.5-VL-7B-Instruct"),
            ("compatible", "llama-3.2-11b-vision-instruct"),
            ("compatible", "gemini-2.5-pro"),
            ("llamacpp", "SmolVLM-500M-Instruct-Q8_0.gguf"),
        ] {
            assert!(known(provider, name), "{provider} {name}");
        }
        for (provider, name) in [
            ("openai", "gpt-3.5-turbo"),
            ("openai", "o3-mini"),
            ("openai", "gpt-4o-search-preview"),
            ("anthropic", "claude-2.1"),
            ("vllm", "Qwen2.5-Coder-7B-Instruct"),
            ("compatible", "scripted"),
        ] {
            assert!(!known(provider, name), "{provider} {name}");
        }
    }

    #[test]
    fn what_a_provider_lists_is_read() {
        assert_eq!(listed(&json!({"architecture": {"input_modalities": ["text", "image"]}})), Some(true));
        assert_eq!(listed(&json!({"architecture": {"input_modalities": ["text"]}})), Some(false));
        assert_eq!(listed(&json!({"capabilities": {"vision": true}})), Some(true));
        assert_eq!(listed(&json!({"id": "a"})), None);
    }
}
